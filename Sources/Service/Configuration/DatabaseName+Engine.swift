import Foundation
import SQL
import Shortcuts
import Storage
import StorageSQLite

/// Opens the database. No other code of the service or the command knows the engine.
extension DatabaseName {
    /// Opens the store, creates it if there is none, and migrates it to this version.
    /// - Parameter publicURL: the base of the URLs in events.
    package func openStore(
        _ configuration: Store.Configuration = Store.Configuration(), publicURL: String = ""
    ) throws(OpeningRefusal) -> Store {
        try Store(
            SQLiteDatabase.open(sqlitePath(), clock: SystemClock()), configuration: configuration,
            announcer: Announcer(publicURL: publicURL, makeID: Randomness.id), identifiers: Randomness.id)
    }

    /// Opens a store that exists and migrates it. For commands to which a mistyped path must not look like an empty store.
    package func openExistingStore() throws(OpeningRefusal) -> Store {
        try SQLiteDatabase.requireFile(at: sqlitePath())
        return try openStore()
    }

    /// Opens the store for reading; neither creates nor migrates it.
    package func reader() throws(OpeningRefusal) -> StoreReader {
        StoreReader(try SQLiteReader(path: sqlitePath()))
    }

    /// Copies the database consistently, also while other processes use it.
    package func backup(to destination: String) throws(BackupRefusal) {
        guard case .sqlite(let path) = self else {
            throw BackupRefusal("\(self) is PostgreSQL, which has tools of its own for this: pg_dump copies a database of it.")
        }
        try SQLiteDatabase.backup(path, to: destination)
    }

    /// Replaces the database by a backup; see `Store.prepareRestored`.
    /// - Returns: the path at which the replaced database is kept; nil if there was none.
    package func restore(from copy: String, by author: Author) throws(RestoreRefusal) -> String? {
        guard case .sqlite(let path) = self else {
            throw RestoreRefusal(
                "\(self) is PostgreSQL, which has tools of its own for this: pg_restore and psql put a copy of pg_dump back.")
        }
        return try SQLiteDatabase.restore(copy, to: path, clock: SystemClock()) { connection throws(Failure) in
            try Store.prepareRestored(connection, by: author)
        }.former
    }

    /// Whether it is a file that is not there; a server's database is found out about when it is opened.
    package var isMissingFile: Bool {
        switch self {
        case .sqlite(let path): !FileManager.default.fileExists(atPath: path)
        case .postgres: false
        }
    }

    private func sqlitePath() throws(OpeningRefusal) -> String {
        switch self {
        case .sqlite(let path):
            return path
        case .postgres:
            throw OpeningRefusal(.cannotOpen, "\(self) cannot be opened: this version has SQLite only. Give the path of a file.")
        }
    }
}
