import Foundation
import GRDB

/// A file that is only read.
extension SQLiteDatabase {
    /// Reads a file without changing anything, in the folder either: where nobody has it open, a connection of SQLite's
    /// that locks would leave the files of WAL mode behind, owned by whoever ran it.
    static func readFile<Result>(_ path: String, _ body: (GRDB.Database) throws -> Result) throws -> Result {
        if !isInUse(path), let result = try? immutableFile(path).read(body), !isInUse(path) { return result }
        return try fileForReading(path).read(body)
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

    /// A connection beside the pool that cannot write to the file.
    static func fileForReading(_ path: String) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
