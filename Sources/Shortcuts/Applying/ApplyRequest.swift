import QuickActions

/// The request of an apply, validated.
package struct ApplyRequest: Sendable {
    /// Ascending by id.
    let trees: [AppTree]
    /// The last revision of each app when the changes were planned; 0 for an app that did not exist. An app that is not listed is changed
    /// whatever its revision.
    let base: [AppID: Int64]
    let options: ApplyOptions

    package var apps: [AppID] { trees.map(\.id) }
}

/// How a request is applied, and what its sender is allowed to do.
package struct ApplyOptions: Sendable {
    /// Whether sets that are not in the tree are deleted.
    package var prunes: Bool
    /// Whether the sender may create apps and change their documents. Always true in a dry run.
    package var mayChangeApps: Bool
    /// Why an owner publishes without the missing approvals.
    package var override: OverrideReason?

    package init(prunes: Bool = false, mayChangeApps: Bool = true, override: OverrideReason? = nil) {
        self.prunes = prunes
        self.mayChangeApps = mayChangeApps
        self.override = override
    }
}

/// The stored state of an app before an apply.
package struct ApplyState: Sendable {
    /// Nil if the app does not exist.
    package let snapshot: AppSnapshot?
    /// The last revision number that was given, also to a deleted app with this id; 0 if none was.
    package let lastRevision: Int64

    package init(snapshot: AppSnapshot?, lastRevision: Int64) {
        self.snapshot = snapshot
        self.lastRevision = lastRevision
    }

    /// The revision that is compared with `base`.
    var revision: Int64 { snapshot?.lastRevision ?? 0 }
}
