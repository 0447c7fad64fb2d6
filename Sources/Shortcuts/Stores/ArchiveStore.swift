/// Export and import.
package protocol ArchiveStore: Sendable {
    /// The apps in the scope, read in one transaction.
    func archive(within scope: Scope) throws(Failure) -> Archive
    /// Imports the archive in one transaction.
    /// - Parameters:
    ///   - replacing: replaces apps that exist or were deleted. Without it they are a `conflict`.
    ///   - dryRun: computes the replacements or conflicts, and writes nothing.
    /// - Returns: the replacements of apps that exist or were deleted.
    @discardableResult
    func importArchive(_ archive: Archive, replacing: Bool, dryRun: Bool, by author: Author) throws(Failure) -> [Replacement]
}
