import QuickActions

/// What an apply asks for.
package struct ApplyRequest: Sendable {
    /// Ascending by id.
    let trees: [AppTree]
    /// The last revision that each app had when the changes were planned, 0 for an app that was not there. An app that is not named is
    /// changed whatever its revision is.
    let base: [AppID: Int64]
    let options: ApplyOptions

    package var apps: [AppID] { trees.map(\.id) }
}

/// How a request is applied, and what its sender may.
package struct ApplyOptions: Sendable {
    /// Whether sets that are not in the tree are deleted.
    package var prunes: Bool
    /// Whether the sender may create apps and change their documents. In a dry run everybody may.
    package var mayChangeApps: Bool
    /// Why an owner publishes what approvals are missing for.
    package var override: OverrideReason?

    package init(prunes: Bool = false, mayChangeApps: Bool = true, override: OverrideReason? = nil) {
        self.prunes = prunes
        self.mayChangeApps = mayChangeApps
        self.override = override
    }
}

/// An app as an apply finds it.
package struct ApplyState: Sendable {
    /// Nil where there is no such app.
    package let snapshot: AppSnapshot?
    /// The last number that was given, also to an app of this id that was deleted; 0 before the first.
    package let lastRevision: Int64

    package init(snapshot: AppSnapshot?, lastRevision: Int64) {
        self.snapshot = snapshot
        self.lastRevision = lastRevision
    }

    /// What `base` is compared with.
    var revision: Int64 { snapshot?.lastRevision ?? 0 }
}
