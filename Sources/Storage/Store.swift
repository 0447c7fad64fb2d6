import Shortcuts

/// Everything that lasts: apps, releases, sets and their revisions, tokens, endpoints, the outbox, the audit.
///
/// A write is one transaction with its revision, event, deliveries and audit entry; when it returns it is on the disk.
package final class Store: Sendable {
    package struct Configuration: Sendable {
        /// How many reads may run beside one another and beside the writer.
        package var readers = 4
        /// How long another process may keep the file to itself before a call is `storageUnavailable`.
        package var busyTimeout: Duration = .seconds(5)
        /// How long after its event a delivery is first due: the first entry of the webhook schedule.
        package var firstAttemptDelay: Duration = .zero

        package init() {}
    }

    package let path: String
    let database: any SQLDatabase
    let recent = RecentSnapshots()
    let lastRead = LastRead()
    private let configuration: Configuration
    private let announcer: Announcer
    private let identifiers: @Sendable () -> String
    let changes = ChangeStream()

    /// Opens the file, creating it where there is none, and migrates it.
    /// - Parameter identifiers: fresh random text of ASCII letters and digits.
    package init(
        path: String, configuration: Configuration = Configuration(), announcer: Announcer, clock: any WallClock,
        identifiers: @escaping @Sendable () -> String
    ) throws(OpeningRefusal) {
        self.path = path
        self.configuration = configuration
        self.announcer = announcer
        self.identifiers = identifiers
        database = try Migrator(migrations: Migration.all, clock: clock)
            .open(path, readers: configuration.readers, busyTimeout: configuration.busyTimeout).database
        database.onForeignCommit { [changes] in changes.send([.everything]) }
    }

    /// Tells of each commit, of this process or another, for as long as what is returned is kept. See `ChangeStream`.
    package func observe(_ observer: @escaping @Sendable ([Change]) -> Void) -> Observation {
        changes.add(observer)
    }

    /// Looks whether another process has written to the file; to be called from time to time.
    package func lookForForeignCommits() throws(Failure) {
        try database.lookForForeignCommits()
    }

    /// Migrates a file, creating it where there is none.
    /// - Returns: the names of the migrations that it lacked.
    package static func migrate(
        path: String, configuration: Configuration = Configuration(), clock: any WallClock
    ) throws(OpeningRefusal) -> [String] {
        try Migrator(migrations: Migration.all, clock: clock)
            .open(path, readers: 1, busyTimeout: configuration.busyTimeout).taken
    }

    /// - Throws: where there is no file; it is not created.
    package static func requireDatabase(at path: String) throws(OpeningRefusal) {
        guard try SQLiteDatabase.appliedMigrations(ofFileAt: path) != nil else { throw .noDatabase(path) }
    }

    /// Copies a database, of one moment, while it is served by this process or another.
    package static func backup(of path: String, to destination: String) throws(BackupRefusal) {
        try SQLiteDatabase.backup(path, to: destination)
    }

    package func backup(to destination: String) throws(BackupRefusal) {
        try Self.backup(of: path, to: destination)
    }

    /// Why writes cannot be had; nil as long as nothing is known to be in the way. Costs two or three looks at the files and no
    /// write.
    package var writeObstacle: WriteObstacle? { database.writeObstacle }

    /// A write that changes nothing, to find out whether what the last one met has passed.
    package func tryWriting() throws(Failure) {
        try database.tryWriting()
    }

    /// To be called when nobody uses the store any more.
    package func settle() throws(Failure) {
        try database.settle()
    }

    /// One transaction. It returns once all who observe the store have heard of it; a claim of a delivery is a write too, so that no
    /// event is ahead of what is answered.
    func write<Result>(_ body: (inout Transaction) throws(Failure) -> Result) throws(Failure) -> Result {
        var effects = Transaction.Effects()
        return try database.write(
            { connection throws(Failure) in
                var transaction = Transaction(
                    connection: connection, recent: recent, announcer: announcer, identifiers: identifiers,
                    firstAttemptDelay: configuration.firstAttemptDelay.inMilliseconds)
                let result = try body(&transaction)
                effects = transaction.effects
                return result
            }, committed: { changes.send(effects.changes) })
    }

    /// A fresh name for a claim.
    func makeLeaseToken() -> String {
        identifiers()
    }
}
