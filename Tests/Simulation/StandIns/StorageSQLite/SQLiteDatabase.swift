import Shortcuts
import Storage

// The simulator's nodes share a PostgreSQL database. These declarations let the product's sources compile.

package enum SQLiteDatabase {
    package static let libraryVersion = "0"

    private static let absent = OpeningError(.cannotOpen, "The simulator has no SQLite files.")

    package static func open(_ path: String, clock: any WallClock) throws(OpeningError) -> any SQLDatabase { throw absent }
    package static func requireFile(at path: String) throws(OpeningError) { throw absent }
    package static func requireUnused(_ path: String) throws(OpeningError) { throw absent }
    package static func backup(_ path: String, to destination: String) throws(BackupError) { throw BackupError(absent.description) }

    package static func restore(
        _ copy: String, to path: String, clock: any WallClock, _ prepare: (any SQLConnection) throws(Failure) -> Void
    ) throws(RestoreError) -> (previous: String?, Void) { throw RestoreError(absent.description) }
}

package struct SQLiteReader: SQLReader {
    package init(path: String) throws(OpeningError) { throw OpeningError(.cannotOpen, "The simulator has no SQLite files.") }
    package init(uncheckedPath path: String) throws(OpeningError) { try self.init(path: path) }

    package func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        throw .storageFailed(cause: "The simulator has no SQLite files.")
    }
}

package struct BackupError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

package struct RestoreError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
