import QuickActions

/// What of a store an export has.
package struct ArchiveSelection: Sendable {
    /// The apps that a token may see.
    package var scope = Scope.all
    /// The apps that are wanted, which are in the scope; empty for all.
    package var apps: Set<AppID> = []
    /// Whether only those revisions are in it that are published or that an entry of the schedule brings back. The counters always are.
    package var leavesHistoryOut = false

    package init() {}
}

/// Export and import.
package protocol ArchiveStore: Sendable {
    /// Writes the document of an export, of one moment, part by part.
    /// - Throws: `unknownApp` for an app of the selection that neither is there nor was; what `write` throws.
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
