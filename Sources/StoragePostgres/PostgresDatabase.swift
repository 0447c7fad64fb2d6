import QuickActions
import Shortcuts
import Storage
import Synchronization

/// A PostgreSQL database that several nodes share. Each node has a pool of connections, and one connection that listens for the commits of
/// others.
///
/// Every write first takes the writers' lock, an advisory lock of the transaction, at READ COMMITTED. So its reads stay valid until it
/// commits, revisions have no gaps, and each commit has a number in the change log in commit order. A read is one snapshot (REPEATABLE
/// READ).
package final class PostgresDatabase: SQLDatabase {
    package struct Configuration: Sendable {
        /// The largest number of connections, beside the listening one.
        package var connections = 8
        package var listening = Listening.sameServer
        /// How often a node polls for changes beside notifications, and how long it may answer from memory after it last knew all changes.
        package var poll: Duration = .seconds(1)
        /// The node's name in the change log.
        package var node = "longpress"
        package var limits = Limits()

        package init() {}
    }

    /// The target of the listening connection.
    package enum Listening: Sendable, Equatable {
        case sameServer
        /// Transactions use a pooler in transaction mode, which loses LISTEN and prepared statements. The listening connection uses this
        /// server directly.
        case server(uri: String)
        /// Like `server`, but the server cannot be reached directly.
        case pollOnly
    }

    let pool: ConnectionPool
    let log = ChangeLog()
    let databaseClock: DatabaseClock
    let target: ConnectionTarget
    package let configuration: Configuration
    var limits: Limits { configuration.limits }
    package let freshness = Freshness(isConfirmed: false)
    let group: GroupCommit
    let usesPooler: Bool
    /// Why the server was last unavailable; nil after a successful write.
    let lastFailure = Mutex<String?>(nil)
    let catchingUp = CatchUp()
    let listener = Mutex<ChangeListener?>(nil)

    init(_ target: ConnectionTarget, _ configuration: Configuration, clock: any WallClock) {
        self.target = target
        self.configuration = configuration
        databaseClock = DatabaseClock(clock)
        group = GroupCommit(log.order)
        let usesPooler = configuration.listening != .sameServer
        self.usesPooler = usesPooler
        pool = ConnectionPool(target, .transactions(throughPooler: usesPooler), size: configuration.connections) {
            connection throws(Failure) in
            connection.deadline = .now + .seconds(5)
            if !usesPooler { try connection.enqueueSettings(configuration.limits) }
            try connection.execute("SELECT 1", [])
        }
    }

    package var clock: any WallClock { databaseClock }

    // MARK: - Reads

    package func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try read(within: limits.read, body)
    }

    package func read<Result>(
        within limit: Duration, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let deadline = ContinuousClock.now + limit
        // A long read is not repeated, and does not wait for a connection, for longer than a write.
        let lastBeginning = min(deadline, .now + limits.write)
        return try notingWriteError { () throws(Failure) in
            while true {
                let connection = try pool.acquire(for: .read, before: lastBeginning)
                defer { pool.giveBack(connection) }
                do throws(Failure) {
                    return try read(on: connection, isShort: limit <= Limits.shortRead, by: deadline, body)
                } catch {
                    // The server may have been restarted since the connection was last used.
                    let mayRepeat = connection.error?.allowsRepetition == true
                    rollBack(connection)
                    guard mayRepeat, .now < lastBeginning else { throw error }
                    if connection.isUsable { Backoff.sleep() }
                }
            }
        }
    }

    private func read<Result>(
        on connection: PostgresConnection, isShort: Bool, by deadline: ContinuousClock.Instant,
        _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try begin(.reading, on: connection, within: deadline, answerLimit: isShort ? nil : limits.write)
        if !isShort { try connection.enqueue(SessionSettings(limits, of: connection).unlimited(isBulk: true), []) }
        let result = try body(connection)
        connection.endReading()
        return result
    }

    /// Remembers that the server was unavailable, for `writeError`, until a write succeeds.
    func notingWriteError<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        do throws(Failure) {
            return try body()
        } catch {
            if error.code == .storageUnavailable { lastFailure.withLock { [cause = error.cause] in $0 = cause ?? "" } }
            throw error
        }
    }

    func noteSuccess() {
        lastFailure.withLock { $0 = nil }
    }

    package var writeError: WriteError? { lastFailure.withLock { $0 }.map { .lastWrite($0) } }

    package func probeWrite() throws(Failure) {
        try writeUnsynced(.free) { connection throws(Failure) in
            _ = try connection.execute("UPDATE change_counter SET last = last WHERE id = 1", [])
        }
    }

    /// PostgreSQL has no file to complete, so this only closes the connections.
    package func checkpoint() throws(Failure) { close() }
}
