/// A wish to publish or delete a set, with the state that the writer expects.
package struct SetChange: Sendable {
    package enum Action: Sendable {
        case publish(ShortcutSet)
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

/// `If-Match` and `If-None-Match` as a writer sent them, over revision numbers; false means 412.
package struct Precondition: Sendable {
    /// Given the set's revision, or nil where there is no such set.
    package let holds: @Sendable (_ revision: Int64?) -> Bool

    package init(holds: @escaping @Sendable (_ revision: Int64?) -> Bool) {
        self.holds = holds
    }

    package static let none = Precondition { _ in true }
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
