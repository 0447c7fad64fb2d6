import Foundation
import GRDB
import Shortcuts
import Storage
import Synchronization

/// A SQLite file in WAL mode with one writer and several readers. A write returns after its commit is on disk.
package final class SQLiteDatabase: SQLDatabase {
    let path: String
    private let pool: DatabasePool
    private let files: DatabaseFiles
    private let order: CommitOrder
    let group: GroupCommit
    private let dataVersion = Mutex(DataVersion())
    /// Always fresh for commits of this process. Commits of other processes are found within a second (`checkForExternalCommits`).
    package let freshness = Freshness.permanent
    package let clock: any WallClock = SystemClock()

    /// `PRAGMA data_version` changes with every commit of another connection, and all commits of this process are made by one connection.
    private struct DataVersion {
        var last: Int?
        var observer: (@Sendable (ExternalCommits) -> Void)?
    }

    /// True after a commit whose fsync failed, until the write-ahead log was repaired. Used on the writer's connection only.
    private let hasSuspectLog = Atomic(false)
    /// The cause if the last write failed with `storageUnavailable`, else nil.
    private let lastWriteFailure = Mutex<String?>(nil)

    /// Creates the file if it does not exist, with mode 0600, because it contains signing secrets.
    init(path: String, readers: Int, busyTimeout: Duration) throws(OpeningError) {
        self.path = path
        order = CommitOrder()
        group = GroupCommit(order)
        var configuration = GRDB.Configuration()
        configuration.label = "longpress"
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = max(1, readers)
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        // Without temporary files, no statement fails for lack of /tmp or of file descriptors.
        configuration.prepareDatabase { database in try database.execute(sql: "PRAGMA temp_store = MEMORY") }
        do {
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            let found = DatabaseFiles.Identity(path)
            pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB sets NORMAL in WAL mode, which may lose acknowledged commits after a power failure.
            try pool.writeWithoutTransaction { database in try database.execute(sql: "PRAGMA synchronous = FULL") }
            files = DatabaseFiles(path)
            // A concurrent restore may have replaced the file between creation and opening.
            guard files.file == found else { throw OpeningError.cannotOpen(path, cause: "The file was replaced while it was opened.") }
        } catch {
            throw OpeningError(path, error)
        }
    }

    package func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try translatingErrors { try pool.read { database in try body(SQLiteConnection(database)) } }
    }

    /// Concurrent writers share a transaction (`GroupCommit`).
    package func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        try group.write(body, committed: committed, in: runTransaction)
    }

    package func writeAlone<Result>(
        isBulk _: Bool, _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        try group.write(alone: true, body, committed: committed, in: runTransaction)
    }

    private func runTransaction(_ body: GroupCommit.Body, since _: ContinuousClock.Instant) -> GroupCommit.TransactionOutcome {
        var outcome = GroupCommit.TransactionOutcome()
        var external: Int?
        do throws(Failure) {
            try onWriter { database in
                try Self.transaction(on: database) { connection throws(Failure) in
                    try translatingErrors { external = try ticketOfExternalCommit(database) }
                    try body(connection)
                }
                outcome.ticket = order.takeTicket()
            }
        } catch {
            outcome.failure = error
        }
        notifyExternalCommit(external)
        return outcome
    }

    package func observeExternalCommits(_ observer: @escaping @Sendable (ExternalCommits) -> Void) {
        dataVersion.withLock { $0.observer = observer }
    }

    package func checkForExternalCommits() throws(Failure) {
        var ticket: Int?
        try translatingErrors { try pool.writeWithoutTransaction { database in ticket = try ticketOfExternalCommit(database) } }
        notifyExternalCommit(ticket)
    }

    /// A ticket if another process has committed since the last call. Called on the writer's connection only.
    private func ticketOfExternalCommit(_ database: GRDB.Database) throws -> Int? {
        guard let version = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) else { return nil }
        return dataVersion.withLock { known in
            defer { known.last = version }
            return known.last == nil || known.last == version ? nil : order.takeTicket()
        }
    }

    private func notifyExternalCommit(_ ticket: Int?) {
        guard let ticket else { return }
        order.run(ticket) { dataVersion.withLock { $0.observer }?(.unknown) }
    }

    /// In WAL mode, `synchronous = NORMAL` omits the fsync: a power failure may lose the newest commits but cannot corrupt the file
    /// (sqlite.org/pragma.html#pragma_synchronous). The lane does not matter, because there is only one writer.
    package func writeUnsynced<Result>(
        _ lane: WriteLane, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var ticket: Int?
        // This write has no observers. The observers of the commits that it read must run before the caller acts on them.
        defer { if let ticket { order.run(ticket) {} } }
        return try onWriter { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            let result = Swift.Result { try Self.transaction(on: database, body) }
            ticket = order.takeTicket()
            try database.execute(sql: "PRAGMA synchronous = FULL")
            return try result.get()
        }
    }

    package func transaction<Result>(isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try onWriter { database in
            let result = try Self.transaction(on: database, body)
            // The last transaction of the opening is a migration. Commits of others are noticed from then on.
            if dataVersion.withLock({ $0.last == nil }) { _ = try ticketOfExternalCommit(database) }
            return result
        }
    }

    private func onWriter<Result>(_ body: (GRDB.Database) throws -> Result) throws(Failure) -> Result {
        try translatingErrors {
            try files.durably(in: pool) {
                try pool.writeWithoutTransaction { database in try notingWriteError { try onSoundLog(of: database, body) } }
            }
        }
    }

    /// Called while the writer is held, so that the last write decides.
    private func notingWriteError<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
        do throws(Failure) {
            let result = try translatingErrors(body)
            lastWriteFailure.withLock { $0 = nil }
            return result
        } catch {
            // An error of the files is not stored: each call checks the files.
            if error.code == .storageUnavailable, files.writeError == nil {
                lastWriteFailure.withLock { [cause = error.cause] in $0 = cause ?? "" }
            }
            throw error
        }
    }

    /// Repairs the write-ahead log after an fsync that failed, before anything else is written.
    ///
    /// After it, the log may end in the frames of that commit: SQLite has rolled them back, but a recovery after a crash would find
    /// them. Earlier frames that were not synchronized may have been lost, although the next fsync succeeds. A recovery would end there
    /// and lose later commits.
    private func onSoundLog<Result>(of database: GRDB.Database, _ body: (GRDB.Database) throws -> Result) throws -> Result {
        if hasSuspectLog.load(ordering: .relaxed) { try repairLog(of: database) }
        do {
            return try body(database)
        } catch let error as DatabaseError where error.meansUnsynchronized {
            hasSuspectLog.store(true, ordering: .relaxed)
            do {
                try repairLog(of: database)
            } catch _ {
                throw Failure.commitUnconfirmed(cause: error.cause)
            }
            throw error
        }
    }

    /// Copies all committed frames into the database file and empties the log. The commit at the end starts a new log on the disk, so that
    /// after a power failure no recovery reads the previous one.
    private func repairLog(of database: GRDB.Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        _ = try database.checkpoint(.truncate)
        try Self.transaction(on: database, Self.rewriteHeader)
        hasSuspectLog.store(false, ordering: .relaxed)
    }

    /// Rewrites a header field with its current value.
    private static func rewriteHeader(_ connection: SQLiteConnection) throws(Failure) {
        let version = try connection.first("PRAGMA user_version", [], as: Int64.self) ?? 0
        try connection.run(script: "PRAGMA user_version = \(version)")
    }

    package var writeError: WriteError? {
        if let reason = files.writeError { return .files(reason) }
        return lastWriteFailure.withLock { $0 }.map { .lastWrite($0) }
    }

    /// Commits no change. It fails if any other commit would fail.
    package func probeWrite() throws(Failure) {
        try onWriter { database in try Self.transaction(on: database, Self.rewriteHeader) }
    }

    /// IMMEDIATE takes the write lock first, so that a precondition that was read stays true until the commit.
    private static func transaction<Result>(
        on database: GRDB.Database, _ body: (SQLiteConnection) throws(Failure) -> Result
    ) throws -> Result {
        var result: Result?
        try database.inTransaction(.immediate) {
            result = try body(SQLiteConnection(database))
            return .commit
        }
        guard let result else { throw Failure.corrupt("A transaction was committed without its change.") }
        return result
    }

    package func checkpoint() throws(Failure) {
        try translatingErrors { try pool.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) } }
    }

    /// Closes every connection.
    func close() throws(Failure) {
        try translatingErrors { try pool.close() }
    }
}

extension DatabaseError {
    fileprivate var meansUnsynchronized: Bool {
        extendedResultCode == .SQLITE_IOERR_FSYNC || extendedResultCode == .SQLITE_IOERR_DIR_FSYNC
    }
}
