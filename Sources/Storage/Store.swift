import QuickActions
import SQL
import Shortcuts

/// Everything that lasts: apps, releases, sets and their revisions, tokens, endpoints, the outbox, the audit.
///
/// A write is one transaction with its revision, event, deliveries and audit entry; when it returns it is on the disk.
package final class Store: Sendable {
    package struct Configuration: Sendable {
        /// How long after its event a delivery is first due: the first entry of the webhook schedule.
        package var firstAttemptDelay: Duration = .zero
        /// What apps that were read may take in memory, in bytes.
        package var snapshotBudget = 64 << 20

        package init() {}
    }

    let database: any SQLDatabase
    let snapshots: SnapshotCache
    private let configuration: Configuration
    private let announcer: Announcer
    private let identifiers: @Sendable () -> String
    let changes = ChangeStream()

    /// - Parameters:
    ///   - database: it has every migration.
    ///   - identifiers: fresh random text of ASCII letters and digits.
    package init(
        _ database: any SQLDatabase, configuration: Configuration = Configuration(), announcer: Announcer,
        identifiers: @escaping @Sendable () -> String
    ) {
        self.database = database
        self.configuration = configuration
        snapshots = SnapshotCache(budget: configuration.snapshotBudget)
        self.announcer = announcer
        self.identifiers = identifiers
        database.onForeignCommit { [changes] in changes.send([.everything]) }
    }

    /// Tells of each commit, of this process or another, for as long as what is returned is kept. See `ChangeStream`.
    package func observe(_ observer: @escaping @Sendable ([Change]) -> Void) -> Observation {
        changes.add(observer)
    }

    /// What apps that were read take in memory, in bytes.
    package var snapshotByteCount: Int { snapshots.byteCount }

    /// Looks whether another process has written to the file; to be called from time to time.
    package func lookForForeignCommits() throws(Failure) {
        try database.lookForForeignCommits()
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
                    connection: connection, snapshots: snapshots, announcer: announcer, identifiers: identifiers,
                    firstAttemptDelay: configuration.firstAttemptDelay.inMilliseconds)
                let result = try body(&transaction)
                effects = transaction.effects
                return result
            },
            committed: {
                for (app, stamp) in effects.stamps { snapshots.commit(app, under: stamp) }
                changes.send(effects.changes)
            })
    }

    /// A fresh name for a claim.
    func makeLeaseToken() -> String {
        identifiers()
    }
}
