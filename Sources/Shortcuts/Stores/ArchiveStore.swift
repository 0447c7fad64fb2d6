/// All that editors made, out of the store and into it.
package protocol ArchiveStore: Sendable {
    /// Of one moment; only the apps in the scope.
    func archive(within scope: Scope) throws(Failure) -> Archive
    /// Imports all of it in one transaction, or nothing.
    /// - Parameters:
    ///   - replacing: apps that are there, or were, become what the archive says. Without it they are a `conflict`.
    ///   - dryRun: finds what would be replaced, or the conflicts, and writes nothing.
    /// - Returns: what becomes of the apps that are there, or were.
    @discardableResult
    func importArchive(_ archive: Archive, replacing: Bool, dryRun: Bool, by author: Author) throws(Failure) -> [Replacement]
}
