import Foundation
import GRDB
import SQL
import Shortcuts
import Synchronization

/// A SQLite file in WAL mode: one writer, several readers, a commit is on the disk when it returns.
package final class SQLiteDatabase: SQLDatabase {
    let path: String
    private let pool: DatabasePool
    private let files: DatabaseFiles
    private let order: CommitOrder
    let group: GroupCommit
    private let foreignCommits = Mutex(ForeignCommits())

    /// Commits of other processes: SQLite counts those that one connection did not make itself (`PRAGMA data_version`), and all of
    /// ours are made by one connection.
    private struct ForeignCommits {
        var version: Int?
        var hear: (@Sendable () -> Void)?
    }

    /// What the last write met; nil where it was done, or refused for what it said.
    private let lastObstacle = Mutex<String?>(nil)

    /// Creates the file where there is none, for its owner's eyes only: it holds signing secrets.
    init(path: String, readers: Int, busyTimeout: Duration) throws(OpeningRefusal) {
        self.path = path
        order = CommitOrder()
        group = GroupCommit(order)
        var configuration = GRDB.Configuration()
        configuration.label = "longpress"
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = max(1, readers)
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        // Where neither a writable /tmp nor a spare file descriptor is needed, neither can be missing.
        configuration.prepareDatabase { database in try database.execute(sql: "PRAGMA temp_store = MEMORY") }
        do {
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
            }
            let found = DatabaseFiles.Identity(path)
            pool = try DatabasePool(path: path, configuration: configuration)
            // GRDB sets NORMAL with WAL mode, which may lose acknowledged commits when the power fails.
            try pool.writeWithoutTransaction { database in try database.execute(sql: "PRAGMA synchronous = FULL") }
            files = DatabaseFiles(path)
            // A restore that came between has put another file there than the one that was opened.
            guard files.file == found else { throw OpeningRefusal.cannotOpen(path, cause: "It was replaced while it was opened.") }
        } catch {
            throw OpeningRefusal(path, error)
        }
    }

    package func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try translatingErrors { try pool.read { database in try body(SQLiteConnection(database)) } }
    }

    /// Shares a transaction with who writes at the same time.
    package func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        var result: Result?
        try withoutActuallyEscaping(body) { body throws(Failure) in
            try withoutActuallyEscaping(committed) { committed throws(Failure) in
                try group.write({ connection throws(Failure) in result = try body(connection) }, committed: committed, in: ordered)
            }
        }
        guard let result else { throw .corrupt("A transaction was committed without one of its parts.") }
        return result
    }

    private func ordered(_ body: GroupCommit.Body) -> GroupCommit.Outcome {
        var outcome = GroupCommit.Outcome()
        var foreign: Int?
        do throws(Failure) {
            try onWriter { database in
                try Self.transaction(on: database) { connection throws(Failure) in
                    try translatingErrors { foreign = try turnOfForeignCommit(database) }
                    try body(connection)
                }
                outcome.turn = order.takeTurn()
            }
        } catch {
            outcome.failure = error
        }
        tellOfForeignCommit(foreign)
        return outcome
    }

    package func onForeignCommit(_ hear: @escaping @Sendable () -> Void) {
        foreignCommits.withLock { $0.hear = hear }
    }

    package func lookForForeignCommits() throws(Failure) {
        var turn: Int?
        try translatingErrors { try pool.writeWithoutTransaction { database in turn = try turnOfForeignCommit(database) } }
        tellOfForeignCommit(turn)
    }

    /// A turn for one that was not known yet. On the writer's connection only.
    private func turnOfForeignCommit(_ database: GRDB.Database) throws -> Int? {
        guard let version = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) else { return nil }
        return foreignCommits.withLock { foreign in
            defer { foreign.version = version }
            return foreign.version == nil || foreign.version == version ? nil : order.takeTurn()
        }
    }

    private func tellOfForeignCommit(_ turn: Int?) {
        guard let turn else { return }
        order.run(turn) { foreignCommits.withLock { $0.hear }?() }
    }

    /// In WAL mode NORMAL is FULL without the wait: a power cut takes the newest commits, it tears none.
    package func writeUnsynced<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        var turn: Int?
        // Nobody hears of it, but what it has read, such as a delivery that is due, others have to have heard of.
        defer { if let turn { order.run(turn) {} } }
        return try onWriter { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            let result = Swift.Result { try Self.transaction(on: database, body) }
            turn = order.takeTurn()
            try database.execute(sql: "PRAGMA synchronous = FULL")
            return try result.get()
        }
    }

    /// A transaction of its own, which nobody is told of.
    func transaction<Result>(_ body: (SQLiteConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try onWriter { database in try Self.transaction(on: database, body) }
    }

    private func onWriter<Result>(_ body: (GRDB.Database) throws -> Result) throws(Failure) -> Result {
        do throws(Failure) {
            let result = try translatingErrors { try files.durably(in: pool) { try pool.writeWithoutTransaction(body) } }
            lastObstacle.withLock { $0 = nil }
            return result
        } catch {
            // What is wrong with the files is seen by looking at them, and no longer once they are back.
            if error.code == .storageUnavailable, files.obstacle == nil {
                lastObstacle.withLock { [cause = error.cause] in $0 = cause ?? "" }
            }
            throw error
        }
    }

    package var writeObstacle: WriteObstacle? {
        if let reason = files.obstacle { return .files(reason) }
        return lastObstacle.withLock { $0 }.map { .lastWrite($0) }
    }

    /// The header is written anew as it was: it meets whatever a commit meets.
    package func tryWriting() throws(Failure) {
        try transaction { connection throws(Failure) in
            let version = try connection.first("PRAGMA user_version", [], as: Int64.self) ?? 0
            try connection.run(script: "PRAGMA user_version = \(version)")
        }
    }

    /// IMMEDIATE, so that a precondition that was read holds until the commit.
    private static func transaction<Result>(
        on database: GRDB.Database, _ body: (SQLiteConnection) throws(Failure) -> Result
    ) throws -> Result {
        var result: Result?
        try database.inTransaction(.immediate) {
            result = try body(SQLiteConnection(database))
            return .commit
        }
        guard let result else { throw Failure.corrupt("A transaction was committed without what it was for.") }
        return result
    }

    /// Writes the log back, so that the file alone is the whole database.
    package func settle() throws(Failure) {
        try translatingErrors { try pool.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) } }
    }

    /// Ends every connection; nothing can be read or written any more.
    func close() throws(Failure) {
        try translatingErrors { try pool.close() }
    }
}
