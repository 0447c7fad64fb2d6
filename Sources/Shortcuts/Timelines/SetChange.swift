import QuickActions

/// A request to publish or delete a set, with the writer's precondition.
package struct SetChange: Sendable {
    package enum Action: Sendable {
        case publish(ShortcutSet)
        /// Starts a roll-out of the content to a share of the installations.
        case rollOut(ShortcutSet, RolloutSettings)
        /// Makes the running candidate the set.
        case promote
        /// Publishes the current set with one item changed.
        case patch(ItemPatch)
        case delete
    }

    package let version: AppVersion
    package let audience: Audience
    package let action: Action
    package let writeCondition: WriteCondition
    /// How the change meets the approvals that the app requires.
    package let consent: Consent
    /// The time of the automatic revert, which only runs if nobody else published the set by then; nil for none.
    package let until: Timestamp?
    /// Stored with the revision.
    package let message: RevisionMessage?
    /// Whether the change ends a running roll-out; if not, it is refused while one runs.
    package let stopsCandidate: Bool

    package init(
        version: AppVersion, audience: Audience, action: Action, writeCondition: WriteCondition, consent: Consent,
        until: Timestamp? = nil, message: RevisionMessage? = nil, stopsCandidate: Bool = false
    ) {
        self.stopsCandidate = stopsCandidate
        self.version = version
        self.audience = audience
        self.action = action
        self.writeCondition = writeCondition
        self.consent = consent
        self.until = until
        self.message = message
    }
}

/// The result of a publish or a deletion.
package struct PublishReceipt: Sendable {
    /// The new revision, or the current one if it already has the content.
    package let revision: Int64
    package let warnings: [Warning]
    /// Whether the version and audience had no set before.
    package let isNew: Bool
    /// False if the content was already published: nothing was written.
    package let isChange: Bool

    package init(revision: Int64, warnings: [Warning], isNew: Bool, isChange: Bool) {
        self.revision = revision
        self.warnings = warnings
        self.isNew = isNew
        self.isChange = isChange
    }
}
