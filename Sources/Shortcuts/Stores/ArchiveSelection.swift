import QuickActions

/// Selects the part of the store to export.
package struct ArchiveSelection: Sendable {
    /// The apps to which a token has access.
    package var scope = Scope.all
    /// The requested apps, all in the scope; empty for all.
    package var apps: Set<AppID> = []
    /// Whether to export only the revisions that are published or that a scheduled restore needs. The revision counters are always
    /// exported.
    package var leavesHistoryOut = false

    package init() {}
}
