import Foundation
import GRDB

/// Reads a file without opening it as the service does.
extension SQLiteDatabase {
    /// Reads a file without changing it or its folder. If no process has it open, it is opened as `immutable`, because an ordinary
    /// connection would leave -wal and -shm files that are owned by the user who ran the command.
    static func readFile<Result>(_ path: String, _ body: (GRDB.Database) throws -> Result) throws -> Result {
        if !isInUse(path), let result = try? immutableFile(path).read(body), !isInUse(path) { return result }
        return try withFileForReading(path) { try $0.read(body) }
    }

    /// Opens a read-only connection beside the pool.
    ///
    /// A process that was killed in a rollback-journal transaction leaves a hot journal. The switch of a new file to WAL mode is such a
    /// transaction. The journal must be rolled back before the file can be read, and only a connection that may write does that
    /// (sqlite.org/lockingv3.html, section 4).
    static func withFileForReading<Result>(_ path: String, _ body: (DatabaseQueue) throws -> Result) throws -> Result {
        let hasJournal = FileManager.default.fileExists(atPath: path + "-journal")
        do {
            return try body(fileForReading(path))
        } catch let error as DatabaseError where hasJournal && error.mayMeanHotJournal {
            try rollBackHotJournal(of: path)
            return try body(fileForReading(path))
        }
    }

    private static func isInUse(_ path: String) -> Bool {
        ["-wal", "-journal"].contains { FileManager.default.fileExists(atPath: path + $0) }
    }

    private static func immutableFile(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        return try DatabaseQueue(
            path: URL(fileURLWithPath: path).absoluteString + "?mode=ro&immutable=1", configuration: configuration)
    }

    private static func fileForReading(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The first read of a read-write connection rolls the journal back, under SQLite's own locks.
    private static func rollBackHotJournal(of path: String) throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        _ = try DatabaseQueue(path: path, configuration: configuration).inDatabase { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
        }
    }
}

extension DatabaseError {
    /// The result codes of a read-only connection that finds a hot journal.
    fileprivate var mayMeanHotJournal: Bool {
        switch resultCode {
        case .SQLITE_READONLY, .SQLITE_CANTOPEN: true
        default: false
        }
    }
}
