import Foundation
import GRDB

/// A file that is only read.
extension SQLiteDatabase {
    /// Reads a file without changing anything, in the folder either: where nobody has it open, a connection of SQLite's
    /// that locks would leave the files of WAL mode behind, owned by whoever ran it.
    static func readFile<Result>(_ path: String, _ body: (GRDB.Database) throws -> Result) throws -> Result {
        if !isInUse(path), let result = try? immutableFile(path).read(body), !isInUse(path) { return result }
        return try withFileForReading(path) { try $0.read(body) }
    }

    /// Opens a connection beside the pool that cannot write to the file.
    ///
    /// A process that was killed inside a transaction of a rollback journal, as it is on the way of a new file to WAL mode,
    /// leaves a file that nobody can read before that transaction is undone. SQLite does it for the first who opens the file
    /// to write.
    static func withFileForReading<Result>(_ path: String, _ body: (DatabaseQueue) throws -> Result) throws -> Result {
        let hasJournal = FileManager.default.fileExists(atPath: path + "-journal")
        do {
            return try body(fileForReading(path))
        } catch let error as DatabaseError where hasJournal && error.mayBeOfHotJournal {
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

    /// The first read of a connection that may write does it, under SQLite's own locks.
    private static func rollBackHotJournal(of path: String) throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        _ = try DatabaseQueue(path: path, configuration: configuration).inDatabase { database in
            try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master")
        }
    }
}

extension DatabaseError {
    /// How SQLite tells that a journal has to be rolled back by a connection that may write.
    fileprivate var mayBeOfHotJournal: Bool {
        switch resultCode {
        case .SQLITE_READONLY, .SQLITE_CANTOPEN: true
        default: false
        }
    }
}
