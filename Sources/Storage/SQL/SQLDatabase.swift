import Shortcuts

extension Duration {
    /// Longer than any read of many rows takes while the database answers.
    package static let bulkRead = Duration.seconds(3600)
}

/// A read-only database.
package protocol SQLReader: Sendable {
    /// All reads of `body` are from one snapshot.
    func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// The same for a caller that has a fallback: waits for a network engine no longer than `limit`.
    func read<Result>(within limit: Duration, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result
}

extension SQLReader {
    package func read<Result>(
        within limit: Duration, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try read(body)
    }
}

/// A database that runs transactions. Writes are serialized: no other write commits between a transaction's reads and its commit. Every
/// call may come from any thread and blocks it.
package protocol SQLDatabase: SQLReader {
    /// Commits durably when `body` returns; rolls back when it throws.
    /// - Parameter committed: called after the commit is durable, in commit order, while no database handle is held, and before this
    ///   returns. If it is unknown whether the commit is durable, it is called as well, and this throws.
    func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result

    /// The same in a transaction that no other writer shares, and that may take longer.
    /// - Parameter isBulk: see `transaction`.
    func writeAlone<Result>(
        isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result

    /// Sets the only observer of other processes' commits. It is called like `committed`, in commit order, and before the `committed` of a
    /// later commit of this process.
    func observeExternalCommits(_ observer: @escaping @Sendable (ExternalCommits) -> Void)

    /// Calls the observer for commits that other processes made before this call. Each write checks as well.
    func checkForExternalCommits() throws(Failure)

    /// Calls the observer for every commit before this call, including this process's, and waits for it.
    func catchUp() throws(Failure)

    /// The number of commits for which the observer was not called yet.
    func changesBehind() throws(Failure) -> Int64

    /// Whether the observer was recently called for all commits of other processes.
    var freshness: Freshness { get }

    /// The clock for leases, schedules and stored times: the database's clock if several nodes share it.
    var clock: any WallClock { get }

    /// Commits when `body` returns, without an fsync. The commit survives a crash of the process. It survives a power failure once a later
    /// `write` has committed. Returns after the observers of all earlier commits.
    func writeUnsynced<Result>(_ lane: WriteLane, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// A durable transaction that shares its commit with no other write and calls no observer. It has no deadline.
    /// - Parameter isBulk: whether seconds may pass between its statements, while it computes or reads elsewhere. On a shared database, the
    ///   other nodes end a bulk transaction whose client is silent for a minute, and any other transaction after five seconds.
    func transaction<Result>(isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// The engine that runs the statements.
    var engine: DatabaseDescription.Engine { get }

    /// The engine's version, such as 15.10. Up to date even after an update of the server.
    func engineVersion() throws(Failure) -> String

    /// The size on disk, including indexes but not logs.
    func byteCount() throws(Failure) -> Int64

    /// Why writes fail, as far as that is known without a write: the state of the files, else the failure of the last write.
    var writeError: WriteError? { get }

    /// Commits an empty transaction to find out whether writes work again.
    func probeWrite() throws(Failure)

    /// Statistics of connections and notifications; nil for a database of one process.
    var statistics: DatabaseStatistics? { get }

    /// Moves all committed data into the database file, so that a copy of this one file is complete.
    func checkpoint() throws(Failure)
}

/// Commits of other processes.
package enum ExternalCommits: Sendable {
    /// Unknown changes.
    case unknown
    /// The texts given to `SQLConnection.record(change:)`, in commit order.
    case recorded([String])
}

/// What an unsynced write excludes, in all processes.
package enum WriteLane: Sendable {
    /// Excludes other writes of this lane, so that leases do not change between its reads and its commit.
    case claims
    /// Excludes nothing: its statements state their conditions themselves.
    case free
}

extension SQLDatabase {
    package var statistics: DatabaseStatistics? { nil }

    package func catchUp() throws(Failure) {
        try checkForExternalCommits()
    }

    package func changesBehind() throws(Failure) -> Int64 { 0 }

    /// A transaction with short pauses, such as a migration.
    package func transaction<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try transaction(isBulk: false, body)
    }

    package func write<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try write(body, committed: {})
    }
}

/// A node's statistics of its connections to a shared database, for metrics.
package struct DatabaseStatistics: Sendable, Equatable {
    /// What a connection is doing.
    package enum ConnectionState: String, Sendable, CaseIterable {
        /// In the pool, and free.
        case idle
        /// In the pool, and running a transaction.
        case busy
        /// Open for LISTEN.
        case listening
    }

    /// How a node learned of another node's change.
    package enum NotificationSource: String, Sendable, CaseIterable {
        /// NOTIFY.
        case notify
        /// Found by a periodic poll (`--database-poll`).
        case poll
        /// Found after the listening connection was lost and made again.
        case reconnect
    }

    package var connections: [ConnectionState: Int] = [:]
    /// Connections that replaced a lost one, since the start.
    package var reconnects = 0
    /// Changes of other nodes, since the start.
    package var notifications: [NotificationSource: Int] = [:]
    /// How long ago this node last knew all committed changes.
    package var changeLag = Duration.zero

    package init() {}
}

/// Why writes fail.
package enum WriteError: Equatable, Sendable {
    /// A file was deleted or replaced, or is read-only. The error lasts until the files are restored.
    case files(String)
    /// The failure of the last write, such as a full disk. Only another write shows whether it is over.
    case lastWrite(String)

    /// A sentence for the log. It contains paths of files.
    package var reason: String {
        switch self {
        case .files(let reason), .lastWrite(let reason): reason
        }
    }
}
