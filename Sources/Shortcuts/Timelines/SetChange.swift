import QuickActions

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
    package let writeCondition: WriteCondition

    package init(version: AppVersion, audience: Audience, action: Action, writeCondition: WriteCondition) {
        self.version = version
        self.audience = audience
        self.action = action
        self.writeCondition = writeCondition
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
