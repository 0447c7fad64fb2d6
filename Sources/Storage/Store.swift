import QuickActions
import Shortcuts

/// All persistent state: apps, releases, sets and their revisions, tokens, endpoints, the outbox, the audit log.
///
/// A write is one transaction with its revision, event, deliveries and audit entry, and is durable when it returns. Every call may come
/// from any thread and blocks it.
package final class Store: Sendable {
    package struct Configuration: Sendable {
        /// When a delivery is first due after its event: the first entry of the retry schedule.
        package var firstAttemptDelay: Duration = .zero
        /// The limit of memory for cached snapshots, in bytes.
        package var snapshotBudget = 64 << 20
        package var quota = AppQuota.none
        /// This process.
        package var node = Node(id: "", name: "", version: "")
        /// Whether other nodes may use the database. Then leases belong to the node that claimed, and nodes send heartbeats.
        package var isShared = false
        /// Encrypts the secrets and header values of endpoints; nil stores them in plain text.
        package var secretKey: SecretKey?
        /// Called for a row that could not be read and was skipped, on any thread.
        package var noteUnreadable: @Sendable (UnreadableRow) -> Void = { _ in }

        package init() {}
    }

    let database: any SQLDatabase
    let snapshots: SnapshotCache
    let configuration: Configuration
    let membership: Membership
    let announcer: Announcer
    private let identifiers: @Sendable () -> String
    let changes = ChangeStream()

    /// - Parameters:
    ///   - database: has every migration.
    ///   - identifiers: makes random text of ASCII letters and digits.
    package init(
        _ database: any SQLDatabase, configuration: Configuration = Configuration(), announcer: Announcer,
        identifiers: @escaping @Sendable () -> String
    ) {
        self.database = database
        self.configuration = configuration
        membership = Membership(startedAt: database.clock.now())
        snapshots = SnapshotCache(budget: configuration.snapshotBudget, noteUnreadable: configuration.noteUnreadable)
        self.announcer = announcer
        self.identifiers = identifiers
        database.observeExternalCommits { [changes, snapshots] commits in
            let changed = [Change](commits)
            if changed.contains(where: \.isEverything) { snapshots.expire() }
            changes.send(changed)
        }
    }

    /// The clock for leases, schedules and stored times.
    package var clock: any WallClock { database.clock }

    /// Statistics of the engine's connections and notifications; nil for a database of one process.
    package var databaseStatistics: DatabaseStatistics? { database.statistics }

    package func databaseByteCount() throws(Failure) -> Int64 { try database.byteCount() }

    /// Observes the commits of this process and of others until the returned observation is released. See `ChangeStream`.
    package func observe(_ observer: @escaping @Sendable ([Change]) -> Void) -> Observation {
        changes.add(observer)
    }

    /// The memory that cached snapshots use, in bytes.
    package var snapshotByteCount: Int { snapshots.byteCount }

    /// Calls the observers for commits of other processes. Called periodically.
    package func checkForExternalCommits() throws(Failure) {
        try database.checkForExternalCommits()
    }

    /// Why writes fail; nil if no cause is known. Costs two or three stat(2) calls and no write.
    package var writeError: WriteError? { database.writeError }

    /// Commits an empty transaction to find out whether writes work again.
    package func probeWrite() throws(Failure) {
        try database.probeWrite()
    }

    /// Makes the database file complete without its log. Called after the last use of the store.
    package func checkpoint() throws(Failure) {
        try database.checkpoint()
    }

    /// Runs one transaction and returns after all of its observers were called.
    func write<Result>(_ body: (inout Transaction) throws(Failure) -> Result) throws(Failure) -> Result {
        var effects = Transaction.Effects()
        return try database.write(
            { connection throws(Failure) in try run(body, on: connection, noting: &effects) }, committed: { announce(effects) })
    }

    /// Runs a transaction that publishes one menu or none. The menu is rendered before the writer is held. If the transaction needs another
    /// one, because the app has changed, it is rolled back, and repeated after that menu is rendered; the last time, it renders itself.
    /// - Parameter expected: the menu that it will probably publish.
    func writeMenu<Result>(
        _ expected: MenuContent? = nil, _ body: (inout Transaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var menu = expected.map(announcer.render)
        for _ in 0..<Self.triesWithMenu {
            var missing: MenuContent?
            do throws(Failure) {
                return try write { transaction throws(Failure) in
                    transaction.menus = .renderedBefore(menu)
                    defer { missing = transaction.missingMenu }
                    return try body(&transaction)
                }
            } catch {
                guard let missing else { throw error }
                menu = announcer.render(missing)
            }
        }
        return try write(body)
    }

    /// A change of the app's name, language or releases, or another publish before a patch, makes a rendered menu useless.
    private static let triesWithMenu = 8

    /// Like `write`, for many rows: other writers only wait while the rows are written. `SQLDatabase.writeBulk` says what `body` must not
    /// do.
    func writeBulk<Result>(_ body: (inout Transaction) throws(Failure) -> Result) throws(Failure) -> Result {
        var effects = Transaction.Effects()
        return try database.writeBulk(
            { connection throws(Failure) in
                let endpoints = try connection.readableEndpoints(
                    where: "1 = 1 ORDER BY id", [], unreadable: configuration.noteUnreadable
                ).compactMap { $0 }
                return try run(body, on: connection, announcingTo: endpoints, noting: &effects)
            }, committed: { announce(effects) })
    }

    private func run<Result>(
        _ body: (inout Transaction) throws(Failure) -> Result, on connection: any SQLConnection, announcingTo endpoints: [Endpoint]? = nil,
        noting effects: inout Transaction.Effects
    ) throws(Failure) -> Result {
        var transaction = Transaction(
            connection: connection, snapshots: snapshots, announcer: announcer, identifiers: identifiers, clock: clock,
            firstAttemptDelay: configuration.firstAttemptDelay.inMilliseconds, noteUnreadable: configuration.noteUnreadable,
            endpoints: endpoints, quota: configuration.quota)
        let result = try body(&transaction)
        transaction.effects.streamTag = try transaction.writeJournal()
        effects = transaction.effects
        if let record = effects.changes.record { try connection.record(change: record) }
        return result
    }

    private func announce(_ effects: Transaction.Effects) {
        for (app, stamp) in effects.stamps { snapshots.commit(app, under: stamp) }
        changes.send(effects.changes)
    }

    /// The rows of a list. A row that cannot be read becomes nil and is logged.
    /// - Parameter table: the table's name, for the log.
    func readable<Element: RowReadable>(
        _ table: String, _ sql: String, _ values: [SQLValue], as type: Element.Type, on connection: any SQLConnection
    ) throws(Failure) -> [Element?] {
        try connection.readableRows(sql, values, as: type) { configuration.noteUnreadable(UnreadableRow(of: table, $0)) }
    }

    /// A new lease token: random text.
    func makeLeaseToken() -> String {
        identifiers()
    }
}

extension Store: AdminStore {}

extension Store {
    package func databaseDescription() throws(Failure) -> DatabaseDescription {
        let version = try database.engineVersion()
        let migrations = try database.read { connection throws(Failure) in
            try connection.rows(
                "SELECT version, name, applied_at FROM schema_migrations ORDER BY version", [], as: DatabaseDescription.Migration.self)
        }
        return DatabaseDescription(engine: database.engine, engineVersion: version, migrations: migrations)
    }
}

extension DatabaseDescription.Migration: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(number: try row.read(), name: try row.read(), appliedAt: try row.read())
    }
}
