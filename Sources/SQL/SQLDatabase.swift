import Shortcuts

extension Duration {
    /// Longer than any read of many rows takes, as long as the database goes on answering.
    package static let bulkRead = Duration.seconds(3600)
}

/// A database that is only read.
package protocol SQLReader: Sendable {
    /// Everything that `body` reads is of one snapshot.
    func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// The same, for who has something else to answer with: waits for the database no longer than `limit` where there is a network.
    func read<Result>(within limit: Duration, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result
}

extension SQLReader {
    package func read<Result>(
        within limit: Duration, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try read(body)
    }
}

/// A database that runs transactions. Writes are serialized: no other write commits between a transaction's reads and its commit.
/// Every call may come from any thread and blocks it.
package protocol SQLDatabase: SQLReader {
    /// Commits durably when `body` returns; rolls back when it throws.
    /// - Parameter committed: called once the commit is durable, in commit order, while no database handle is held, and before this
    ///   returns. Where durability is unknown, it is called as well, and this throws.
    func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result

    /// The same in a transaction that no other writer shares, and that may take longer.
    /// - Parameter isBulk: as of `transaction`.
    func writeAlone<Result>(
        isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result

    /// Sets the one observer of commits that other processes make. It is called like `committed`, in commit order, and before the
    /// `committed` of a later commit of this process.
    func observeExternalCommits(_ observer: @escaping @Sendable (ExternalCommits) -> Void)

    /// Calls the observer for what other processes have committed before this call. Each write checks as well.
    func checkForExternalCommits() throws(Failure)

    /// Calls the observer for everything that was committed before this call, also by this process, and waits for it.
    func catchUp() throws(Failure)

    /// How many commits the observer has not been called for.
    func changesBehind() throws(Failure) -> Int64

    /// Whether the observer has been called for everything that other processes have committed, as far as that was confirmed recently.
    var freshness: Freshness { get }

    /// The clock that leases, schedules and stored times go by: the database's, where several nodes share it.
    var clock: any WallClock { get }

    /// Commits when `body` returns, without an fsync: the commit survives a crash of the process, and a power failure once a later
    /// `write` has committed. It returns after the observers of all earlier commits.
    func writeUnsynced<Result>(_ lane: WriteLane, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// A durable transaction that shares its commit with no other write and calls no observer. It has no deadline.
    /// - Parameter isBulk: whether seconds may pass between its statements, while it computes or reads elsewhere. Where nodes share the
    ///   database, they end a bulk transaction whose node says nothing for a minute, and any other after five seconds.
    func transaction<Result>(isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// What runs the statements.
    var engine: DatabaseDescription.Engine { get }

    /// Its version, such as 15.10, also after its server was updated.
    func engineVersion() throws(Failure) -> String

    /// What it takes on disk, with its indexes; without logs.
    func byteCount() throws(Failure) -> Int64

    /// Why writes are impossible, as far as that is known without one: the state of the files, else the failure of the last write.
    var writeObstacle: WriteObstacle? { get }

    /// Commits a transaction that changes nothing, to find out whether writes are possible again.
    func probeWrite() throws(Failure)

    /// Its connections and what it has heard; nil where there is one process and no network.
    var statistics: DatabaseStatistics? { get }

    /// Moves everything committed into the database file, so that a copy of that one file is complete.
    func checkpoint() throws(Failure)
}

/// What other processes have committed.
package enum ExternalCommits: Sendable {
    /// Something; nobody knows what.
    case unknown
    /// The texts given to `SQLConnection.record(change:)`, in commit order.
    case recorded([String])
}

/// What an unsynced write excludes, in all processes.
package enum WriteLane: Sendable {
    /// Another write of this lane: what it reads of leases holds until it commits.
    case claims
    /// Nothing: its statements say by their conditions what they need.
    case free
}

extension SQLDatabase {
    package var statistics: DatabaseStatistics? { nil }

    package func catchUp() throws(Failure) {
        try checkForExternalCommits()
    }

    package func changesBehind() throws(Failure) -> Int64 { 0 }

    /// Such as a migration.
    package func transaction<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try transaction(isBulk: false, body)
    }

    package func write<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try write(body, committed: {})
    }
}
