import QuickActions
import SQL
import Shortcuts
import Synchronization

/// A PostgreSQL database that several nodes share. Each node has a pool of connections and one that listens for the commits of others.
///
/// Every write first takes the writers' lock, an advisory lock of the transaction, at READ COMMITTED: what it reads then holds until it
/// commits, revisions have no gaps, and each commit has a number in the change log in commit order. A read is one snapshot (REPEATABLE
/// READ).
package final class PostgresDatabase: SQLDatabase {
    package struct Configuration: Sendable {
        /// The largest number of connections, beside the listening one.
        package var connections = 8
        package var listening = Listening.sameServer
        /// How often a node asks for changes beside being told, and how long it may answer from memory since it last knew of all.
        package var poll: Duration = .seconds(1)
        /// The node's name in the change log.
        package var node = "longpress"

        package init() {}
    }

    /// Where the listening connection goes.
    package enum Listening: Sendable, Equatable {
        case sameServer
        /// The transactions go through a pooler in transaction mode, which loses LISTEN and prepared statements.
        case server(uri: String)
        /// As above, and there is no way around the pooler.
        case pollOnly
    }

    /// How long calls wait, all in all.
    private enum Limit {
        static let read = Duration.seconds(5)
        static let write = Duration.seconds(8)
        /// From the beginning of the write on, when the answer to a COMMIT does not come.
        static let settlement = Duration.seconds(14)
        static let catchUp = Duration.milliseconds(1900)
        /// Of a read that ends soon; a copy of the whole store takes longer.
        static let shortRead = Duration.seconds(60)
        static let migration = Duration.seconds(24 * 3600)
    }

    let pool: ConnectionPool
    let log = ChangeLog()
    let databaseClock: DatabaseClock
    let target: ConnectionTarget
    package let configuration: Configuration
    package let freshness = Freshness(isConfirmed: false)
    private let group: GroupCommit
    private let usesPooler: Bool
    /// Why the server could not be had the last time; nil since a write has succeeded.
    private let lastFailure = Mutex<String?>(nil)
    private let catchingUp = CatchUp()
    private let listener = Mutex<ChangeListener?>(nil)

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
            guard !usesPooler else { return }
            for setting in SessionSetting.all { try connection.enqueue("SET \(setting.name) = '\(setting.value)'", []) }
            try connection.execute("SELECT 1", [])
        }
    }

    package var clock: any WallClock { databaseClock }

    // MARK: - Reads

    package func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try read(within: Limit.read, body)
    }

    package func read<Result>(
        within limit: Duration, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let deadline = ContinuousClock.now + limit
        return try notingObstacle { () throws(Failure) in
            while true {
                let connection = try pool.take(until: deadline, patience: false)
                defer { pool.giveBack(connection) }
                do throws(Failure) {
                    return try read(on: connection, isShort: limit <= Limit.shortRead, by: deadline, body)
                } catch {
                    if connection.isUsable { connection.rollBack() }
                    // The server may have been restarted since the connection was last used.
                    guard connection.error?.allowsRepetition == true, .now < deadline else { throw error }
                }
            }
        }
    }

    private func read<Result>(
        on connection: PostgresConnection, isShort: Bool, by deadline: ContinuousClock.Instant,
        _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try connection.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", within: deadline)
        if usesPooler { try connection.enqueue(SessionSetting.local, []) }
        if !isShort { try connection.enqueue(SessionSetting.unlimited, []) }
        let result = try body(connection)
        connection.endReading()
        return result
    }

    /// Remembers that the server could not be had: `writeObstacle`, until a write succeeds.
    private func notingObstacle<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        do throws(Failure) {
            return try body()
        } catch {
            if error.code == .storageUnavailable { lastFailure.withLock { [cause = error.cause] in $0 = cause ?? "" } }
            throw error
        }
    }

    private func noteSuccess() {
        lastFailure.withLock { $0 = nil }
    }

    // MARK: - Writes

    package func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        try group.write(body, committed: committed, in: runTransaction)
    }

    /// Repeats the transaction while it is known to have written nothing, until the time is over.
    private func runTransaction(_ body: GroupCommit.Body) -> GroupCommit.TransactionOutcome {
        let start = ContinuousClock.now
        var outcome = GroupCommit.TransactionOutcome()
        while true {
            do throws(Failure) {
                if let commit = try notingObstacle({ () throws(Failure) in try commitOnce(body, from: start) }) {
                    (outcome.ticket, outcome.preceding) = log.commit(commit.token, commit.number, after: commit.earlier)
                    noteSuccess()
                    return outcome
                }
                Backoff.sleep()
            } catch {
                outcome.failure = error
                return outcome
            }
        }
    }

    private struct Commit {
        let token: String
        let number: Int64
        /// What other nodes have committed before it, as far as it may not be known here.
        let earlier: [LoggedChange]
    }

    /// - Returns: nil where nothing was written and the transaction may be run again.
    private func commitOnce(_ body: GroupCommit.Body, from start: ContinuousClock.Instant) throws(Failure) -> Commit? {
        let deadline = start + Limit.write
        let connection = try pool.take(until: deadline, patience: true)
        defer { pool.giveBack(connection) }
        let token = ChangeToken.random()
        do throws(Failure) {
            try begin(on: connection, within: deadline, lock: .writers)
            try body(connection)
        } catch {
            let mayRepeat = connection.error?.allowsRepetition == true && .now < deadline - .milliseconds(500)
            if connection.isUsable { connection.rollBack() }
            guard mayRepeat else { throw error }
            return nil
        }
        log.beginCommit(token)
        var isCommitted = false
        defer { if !isCommitted { log.abandonCommit(token) } }
        do throws(Failure) {
            let commit = try commit(on: connection, token)
            isCommitted = true
            return commit
        } catch {
            // An error of the server before the COMMIT means that it was not executed.
            guard !connection.isUsable else {
                connection.rollBack()
                guard connection.error?.allowsRepetition == true, .now < deadline - .milliseconds(500) else { throw error }
                return nil
            }
            let commit = try settle(token, from: start, error)
            isCommitted = commit != nil
            return commit
        }
    }

    private func begin(on connection: PostgresConnection, within deadline: ContinuousClock.Instant, lock: AdvisoryLock?) throws(Failure) {
        try connection.begin("BEGIN ISOLATION LEVEL READ COMMITTED", within: deadline)
        if usesPooler { try connection.enqueue(SessionSetting.local, []) }
        if let lock { try connection.enqueue(lock.statement, []) }
    }

    /// Numbers the commit, notifies other nodes and commits, in one round trip.
    private func commit(on connection: PostgresConnection, _ token: String) throws(Failure) -> Commit {
        let content = connection.records.joined(separator: "\n")
        let known = log.known
        // One notification a commit, and none for what others need not know: NOTIFY takes a lock on commit that the whole server shares.
        if !content.isEmpty { try connection.enqueue("SELECT pg_notify('\(ChangeListener.channel)', '')", []) }
        var rows = try connection.commit(executing: [
            (
                """
                WITH next AS (UPDATE change_counter SET last = last + 1 WHERE id = 1 RETURNING last)
                INSERT INTO changes (number, at, node, token, content) SELECT last, ?, ?, ?, ? FROM next RETURNING number
                """, [.integer(databaseClock.now().milliseconds), .text(configuration.node), .text(token), .text(content)]
            ), (LoggedChange.selection, [.integer(known)]),
        ])
        let changes = try LoggedChange.read(rows.removeLast())
        guard var own = rows.last?.first else { throw .corrupt("The change log has no counter.") }
        let number = try own.integer()
        return Commit(token: token, number: number, earlier: changes.filter { $0.number < number })
    }

    /// Finds out whether a commit was made whose answer was lost with the connection. The writers' lock is granted once the lost
    /// transaction has ended, one way or the other.
    /// - Returns: nil where it was not made, and may be tried again.
    private func settle(_ token: String, from start: ContinuousClock.Instant, _ failure: Failure) throws(Failure) -> Commit? {
        let deadline = start + Limit.settlement
        var settlement = Settlement.unknown
        while .now < deadline, case .unknown = settlement {
            do throws(Failure) {
                settlement = try findOut(token, by: deadline)
            } catch {
                Backoff.sleep()
            }
        }
        switch settlement {
        case .committed(let commit): return commit
        case .rolledBack where .now < start + Limit.write - .milliseconds(500): return nil
        case .rolledBack: throw failure
        case .unknown:
            throw .storageUnavailable(
                "The store did not say whether the change was written. Read it before you repeat it; a repetition with If-Match is "
                    + "refused with 412 if it was.", cause: failure.cause ?? failure.detail)
        }
    }

    private enum Settlement {
        case committed(Commit), rolledBack, unknown
    }

    private func findOut(_ token: String, by deadline: ContinuousClock.Instant) throws(Failure) -> Settlement {
        let connection = try pool.take(until: deadline, patience: true)
        defer { pool.giveBack(connection) }
        try begin(on: connection, within: deadline, lock: .writers)
        let number = try connection.first("SELECT number FROM changes WHERE token = ?", [.text(token)], as: Int64.self)
        let changes = try connection.rows(LoggedChange.selection, [.integer(log.known)], as: LoggedChange.self)
        connection.rollBack()
        return number.map { number in .committed(Commit(token: token, number: number, earlier: changes.filter { $0.number < number })) }
            ?? .rolledBack
    }

    package func writeUnsynced<Result>(
        _ lane: WriteLane, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let deadline = ContinuousClock.now + Limit.write
        let result = try notingObstacle { () throws(Failure) in
            while true {
                let connection = try pool.take(until: deadline, patience: true)
                defer { pool.giveBack(connection) }
                do throws(Failure) {
                    return try writeUnsynced(lane, on: connection, by: deadline, body)
                } catch {
                    let mayRepeat = connection.error?.allowsRepetition == true && !connection.mayHaveCommitted
                    if connection.isUsable { connection.rollBack() }
                    guard mayRepeat, .now < deadline - .milliseconds(500) else { throw error }
                    Backoff.sleep()
                }
            }
        }
        noteSuccess()
        return result
    }

    private func writeUnsynced<Result>(
        _ lane: WriteLane, on connection: PostgresConnection, by deadline: ContinuousClock.Instant,
        _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try begin(on: connection, within: deadline, lock: lane == .claims ? .claims : nil)
        try connection.enqueue("SET LOCAL synchronous_commit = off", [])
        let result = try body(connection)
        guard lane == .claims else {
            try connection.commit()
            return result
        }
        // What it has read was committed by writes whose observers must have run before the caller acts.
        let rows = try connection.commit(executing: [(LoggedChange.selection, [.integer(log.known)])])
        log.deliver(try LoggedChange.read(rows.last ?? []))
        log.waitForObservers()
        return result
    }

    /// A transaction that is neither shared nor recorded nor observed: a migration.
    package func transaction<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        let deadline = ContinuousClock.now + Limit.migration
        let connection = try pool.take(until: deadline, patience: true)
        defer { pool.giveBack(connection) }
        do throws(Failure) {
            try begin(on: connection, within: deadline, lock: nil)
            try connection.enqueue(SessionSetting.unlimited, [])
            try connection.enqueue(AdvisoryLock.migrations.statement, [])
            let result = try body(connection)
            try connection.commit()
            return result
        } catch {
            if connection.isUsable { connection.rollBack() }
            throw error
        }
    }

    package var writeObstacle: WriteObstacle? { lastFailure.withLock { $0 }.map { .lastWrite($0) } }

    package func probeWrite() throws(Failure) {
        try writeUnsynced(.free) { connection throws(Failure) in
            _ = try connection.execute("UPDATE change_counter SET last = last WHERE id = 1", [])
        }
    }

    /// There is no file that could be incomplete; the connections are closed.
    package func checkpoint() throws(Failure) { close() }

    // MARK: - Commits of other nodes

    package func observeExternalCommits(_ observer: @escaping @Sendable (ExternalCommits) -> Void) {
        log.observe(observer)
    }

    package func checkForExternalCommits() throws(Failure) {
        if !freshness.isConfirmed { try catchUp(isComplete: false) }
    }

    package func catchUp() throws(Failure) {
        try catchUp(isComplete: true)
    }

    private func catchUp(isComplete: Bool) throws(Failure) {
        try catchingUp.run(isComplete: isComplete) { () throws(Failure) in
            let sent = ContinuousClock.now
            let reading = try read(within: Limit.catchUp) { [log] connection throws(Failure) in
                try connection.changes(after: log.known)
            }
            log.deliver(reading)
            log.waitForObservers()
            freshness.confirm(at: sent, for: configuration.poll)
        }
    }

    package var statistics: DatabaseStatistics? {
        var statistics = DatabaseStatistics()
        let counts = pool.counts
        statistics.connections = [.busy: counts.busy, .idle: counts.idle]
        statistics.reconnects = counts.replaced
        guard let heard = listener.withLock({ $0 })?.statistics else { return statistics }
        statistics.connections[.listening] = heard.isConnected ? 1 : 0
        statistics.reconnects += max(0, heard.reconnects)
        statistics.notifications = heard.notifications
        statistics.changeLag = heard.confirmedAt.map { $0.duration(to: .now) } ?? .zero
        return statistics
    }

    /// Where the listening connection goes, and whether it can listen there.
    var listeningTarget: (ConnectionTarget, ConnectionTarget.Purpose, listens: Bool) {
        switch configuration.listening {
        case .sameServer: (target, .listening, true)
        case .server(let uri): (ConnectionTarget(uri: uri), .listening, true)
        case .pollOnly: (target, .polling, false)
        }
    }

    /// Starts to listen. Called once the database has every migration.
    func listen() throws(Failure) {
        let last = try read { connection throws(Failure) in
            try connection.first("SELECT last FROM change_counter WHERE id = 1", [], as: Int64.self)
        }
        log.start(after: last ?? 0)
        let listener = ChangeListener(of: self)
        self.listener.withLock { $0 = listener }
        listener.start()
    }

    /// Ends the listening thread and closes the connections.
    package func close() {
        listener.withLock { listener in
            listener?.stop()
            listener = nil
        }
        pool.close()
    }
}

/// Locks of this program's own among the database's advisory locks; each ends with its transaction.
enum AdvisoryLock: Int {
    case migrations = 0, writers, claims

    var statement: String { "SELECT pg_advisory_xact_lock(\(0x6c70_7265), \(rawValue))" }
}

/// The server's own limits, for a node that is cut off: it holds the others up for no longer.
struct SessionSetting {
    let (name, value): (String, String)

    static let all = [
        SessionSetting("statement_timeout", "8s"), SessionSetting("lock_timeout", "8s"),
        SessionSetting("idle_in_transaction_session_timeout", "5s"),
        // Ends the statement of a client that is gone (PostgreSQL 14).
        SessionSetting("client_connection_check_interval", "2s"),
    ]

    /// The same for one transaction, since a pooler may give the next one to another server connection.
    static let local = "SELECT " + all.map { "set_config('\($0.name)', '\($0.value)', true)" }.joined(separator: ", ")

    /// No limits, for one transaction: a migration or a copy takes as long as it takes.
    static let unlimited = "SELECT " + all.prefix(3).map { "set_config('\($0.name)', '0', true)" }.joined(separator: ", ")

    private init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }
}
