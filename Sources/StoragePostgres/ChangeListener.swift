import CPQ
import Glibc
import Platform
import QuickActions
import Shortcuts
import Storage
import Synchronization

/// Follows the commits of other nodes on its own connection: LISTEN first, then read, then wait (PostgreSQL, "NOTIFY"). A notification only
/// triggers a read of the change log. The log is also read twice in each `poll` without a notification.
///
/// Each answer confirms the node's freshness for `poll`, counted from the request, and measures the database's clock. The timeout for an
/// answer is `poll`, but at most one second.
///
/// `@unchecked`: the thread owns everything except `isStopped` and `statistics`.
final class ChangeListener: @unchecked Sendable {
    static let channel = "longpress"
    /// How long rows of the change log are stored. A node that was disconnected for longer treats everything as changed.
    private static let retention = Duration.seconds(3600)
    private static let pruningInterval = Duration.seconds(300)

    struct Statistics {
        var notifications: [DatabaseStatistics.NotificationSource: Int] = [:]
        var isConnected = false
        /// The number of connections after the first one.
        var reconnects = -1
        /// The number of the last commit that was read from the change log.
        var last: Int64 = 0
        /// When the log was last read completely.
        var confirmedAt: ContinuousClock.Instant?
    }

    /// Retained until the thread ends, which `stop` causes.
    private let database: PostgresDatabase
    private let isStopped = Atomic(false)
    private let statisticsLock = Mutex(Statistics())
    private var failures = 0
    private var prunedAt = ContinuousClock.now

    init(of database: PostgresDatabase) {
        self.database = database
    }

    var statistics: Statistics { statisticsLock.withLock { $0 } }

    func start() {
        NamedThread.start("lp-listener", isBackground: false) { [self] in
            while !isStopped.load(ordering: .acquiring) { follow() }
        }
    }

    func stop() { isStopped.store(true, ordering: .releasing) }

    /// Follows the change log over one connection until the connection fails.
    private func follow() {
        do throws(Failure) {
            let connection = try connect()
            statisticsLock.withLock { ($0.isConnected, $0.reconnects) = (true, $0.reconnects + 1) }
            defer { statisticsLock.withLock { $0.isConnected = false } }
            try read(on: connection, .reconnect)
            failures = 0
            while !isStopped.load(ordering: .acquiring) {
                let isNotified = try connection.waitForNotification(until: .now + interval)
                try read(on: connection, isNotified ? .notify : .poll)
                try pruneIfDue(on: connection)
            }
        } catch {
            failures += 1
            // From 0.1 to 2 seconds, partly random, so that nodes do not reconnect at the same time.
            let pause = Duration.milliseconds(100 * (1 << min(failures, 4))) * Double.random(in: 0.5...1.2)
            let end = ContinuousClock.now + pause
            while .now < end, !isStopped.load(ordering: .acquiring) { Backoff.sleep() }
        }
    }

    private var interval: Duration { database.configuration.poll / 2 }

    private func connect() throws(Failure) -> PostgresConnection {
        let (target, purpose, listens) = database.listeningTarget
        let connection: PostgresConnection
        do throws(PostgresError) {
            connection = try PostgresConnection(target, purpose: purpose)
        } catch {
            // libpq does not say whether too many connections were the reason.
            database.pool.makeRoom()
            throw error.failure
        }
        database.pool.endMakingRoom()
        connection.deadline = .now + .seconds(2)
        guard listens else { return connection }
        try connection.enqueueSettings(database.limits)
        try connection.execute("LISTEN \(Self.channel)", [])
        return connection
    }

    /// Reads the new rows, calls the observers, and confirms the freshness as of the time of the request.
    private func read(on connection: PostgresConnection, _ source: DatabaseStatistics.NotificationSource) throws(Failure) {
        let (sent, sentAt) = (ContinuousClock.now, database.databaseClock.systemNow)
        let deadline = sent + max(database.configuration.poll, .seconds(1))
        let known = database.log.known
        let queries: [SQLQuery] = [
            ("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT), last FROM change_counter WHERE id = 1", []),
            (LoggedChange.selection, [.integer(known)]),
        ]
        let answers: [[SQLRow]]
        if database.configuration.listening == .pollOnly {
            try database.begin(.reading, on: connection, within: deadline)
            answers = try connection.commit(executing: queries)
        } else {
            connection.deadline = deadline
            answers = try connection.rows(together: queries)
        }
        let receivedAt = database.databaseClock.systemNow
        guard answers.count == 2, var now = answers[0].first else { throw .corrupt("The change log has no counter.") }
        database.databaseClock.measure(try now.integer(), sent: sentAt, received: receivedAt)
        let reading = ChangeReading(known: known, last: try now.integer(), changes: try LoggedChange.read(answers[1]))
        statisticsLock.withLock { statistics in
            statistics.last = reading.last
        }
        let others = database.log.deliver(reading)
        statisticsLock.withLock { $0.notifications[source, default: 0] += others }
        database.log.waitForObservers()
        database.freshness.confirm(at: sent, for: database.configuration.poll)
        database.catchingUp.noteSuccess()
        statisticsLock.withLock { $0.confirmedAt = sent }
    }

    /// The newest row stays, so that a node that starts to read after it finds no gap.
    private func pruneIfDue(on connection: PostgresConnection) throws(Failure) {
        guard .now > prunedAt + Self.pruningInterval else { return }
        prunedAt = .now
        let end = database.databaseClock.now() + (.zero - Self.retention)
        try database.begin(.writing, on: connection, within: .now + .seconds(2))
        try connection.execute(
            "DELETE FROM changes WHERE at < ? AND number < (SELECT last FROM change_counter WHERE id = 1)", [.integer(end.milliseconds)])
        try connection.commit()
    }
}

extension PostgresConnection {
    /// Waits until `limit`, or until the socket can be read.
    /// - Returns: whether a notification has arrived since the last call.
    func waitForNotification(until limit: ContinuousClock.Instant) throws(Failure) -> Bool {
        deadline = limit
        if takeNotifications() { return true }
        guard SocketWait.wait(for: Int16(POLLIN), on: socket, until: limit) != 0 else { return false }
        guard PQconsumeInput(handle) == 1 else { throw fail(.lost(message)) }
        return takeNotifications()
    }

    private func takeNotifications() -> Bool {
        var isNotified = false
        while let notification = PQnotifies(handle) {
            PQfreemem(notification)
            isNotified = true
        }
        return isNotified
    }
}
