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

/// Export and import.
package protocol ArchiveStore: Sendable {
    /// Writes the document of an export in parts, from one snapshot of the database.
    /// - Throws: `unknownApp` if a selected app neither exists nor was deleted; what `write` throws.
    func export(_ selection: ArchiveSelection, to write: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure)
    /// Imports the archive in one transaction.
    /// - Parameters:
    ///   - replacing: replaces apps that exist or were deleted. Without it they are a `conflict`.
    ///   - dryRun: computes the replacements or conflicts, and writes nothing.
    ///   - override: why an owner lowers the approvals that apps require.
    /// - Returns: the replacements of apps that exist or were deleted.
    @discardableResult
    func importArchive(
        _ archive: Archive, replacing: Bool, dryRun: Bool, override: OverrideReason?, by author: Author
    ) throws(Failure) -> [Replacement]
}

extension ArchiveStore {
    @discardableResult
    package func importArchive(_ archive: Archive, replacing: Bool, dryRun: Bool, by author: Author) throws(Failure) -> [Replacement] {
        try importArchive(archive, replacing: replacing, dryRun: dryRun, override: nil, by: author)
    }
}
