/// A wish to publish or delete a set, with the state that the writer expects.
package struct SetChange: Sendable {
    package enum Action: Sendable {
        case publish(ShortcutSet)
        /// Publishes the set that stands with one item changed.
        case patch(ItemPatch)
        case delete
    }

    package let version: AppVersion
    package let audience: Audience
    package let action: Action
    package let precondition: Precondition

    package init(version: AppVersion, audience: Audience, action: Action, precondition: Precondition) {
        self.version = version
        self.audience = audience
        self.action = action
        self.precondition = precondition
    }
}

/// `If-Match` and `If-None-Match` as a writer sent them; where they do not hold, nothing is written (412).
package struct Precondition: Sendable {
    /// Whether the field holds for the entity tag that the resource has, without quotes, or for nil where there is no such
    /// resource. A set's tag is its revision.
    package typealias Condition = @Sendable (_ tag: String?) -> Bool

    private let ifMatch: Condition
    private let ifNoneMatch: Condition

    package init(ifMatch: @escaping Condition, ifNoneMatch: @escaping Condition) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    package static let none = Precondition(ifMatch: { _ in true }, ifNoneMatch: { _ in true })

    package func holds(_ tag: String?) -> Bool {
        ifMatch(tag) && ifNoneMatch(tag)
    }

    /// The same, with `If-Match` content with another tag too.
    package func matching(_ other: String) -> Precondition {
        let (ifMatch, ifNoneMatch) = (ifMatch, ifNoneMatch)
        return Precondition(ifMatch: { ifMatch($0) || ifMatch(other) }, ifNoneMatch: ifNoneMatch)
    }
}

/// What a publish or a deletion led to.
package struct PublishReceipt: Sendable {
    /// The new revision; the old one where the content was already published.
    package let revision: Int64
    package let warnings: [Warning]
    /// Whether the set was not there before.
    package let isNew: Bool
    /// Whether anything was written.
    package let isChange: Bool

    package init(revision: Int64, warnings: [Warning], isNew: Bool, isChange: Bool) {
        self.revision = revision
        self.warnings = warnings
        self.isNew = isNew
        self.isChange = isChange
    }
}
