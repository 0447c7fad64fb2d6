/// All that editors made, out of the store and into it.
package protocol ArchiveStore: Sendable {
    /// Of one moment; only the apps in the scope.
    func archive(within scope: Scope) throws(Failure) -> Archive
    /// Brings all of it in one transaction, or nothing: `conflict` where an app of it, or its history, is there already.
    /// - Parameter isRehearsal: looks for conflicts and writes nothing.
    func bring(_ archive: Archive, isRehearsal: Bool, by author: Author) throws(Failure)
}
