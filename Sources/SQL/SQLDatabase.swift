import Shortcuts

/// A database that is read.
package protocol SQLReader: Sendable {
    /// All that `body` reads is of one moment.
    func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result
}

/// Where transactions are had. Writes are serialized: what one has read cannot change before it commits.
package protocol SQLDatabase: SQLReader {
    /// Commits, durably, when `body` returns; rolls back when it throws.
    /// - Parameter committed: called once the commit is durable, in the order of commits, while no handle is held, and before this
    ///   returns. Where whether it is durable cannot be told, it is called too, and this throws.
    func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result

    /// Called like `committed` where another process has committed to the database since it was last looked at; before what this
    /// process commits next is told of.
    func onForeignCommit(_ hear: @escaping @Sendable () -> Void)

    /// Looks whether another process has committed. Each write does so anyway.
    func lookForForeignCommits() throws(Failure)

    /// Commits when `body` returns, but does not wait for the disk: what it wrote outlives the process, and outlives the
    /// machine once a later `write` has committed. It returns once all earlier commits have been told of.
    func writeUnsynced<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// Why writes cannot be had, as far as it is known without one: what is wrong with the files, else what the last write met.
    var writeObstacle: WriteObstacle? { get }

    /// A write that changes nothing.
    func tryWriting() throws(Failure)

    /// Leaves the files as they should be found by who copies or opens them next.
    func settle() throws(Failure)
}

extension SQLDatabase {
    package func write<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try write(body, committed: {})
    }
}
