import SQL
import Shortcuts
import Storage
import StorageSQLite

/// Opens the database of a path. No other code of the service or the command knows the engine.
extension DatabasePath {
    /// Opens the store, creates it if there is none, and migrates it to this version.
    /// - Parameter publicURL: the base of the URLs in events.
    package func openStore(
        _ configuration: Store.Configuration = Store.Configuration(), publicURL: String = ""
    ) throws(OpeningRefusal) -> Store {
        try Store(
            SQLiteDatabase.open(description, clock: SystemClock()), configuration: configuration,
            announcer: Announcer(publicURL: publicURL, makeID: Randomness.id), identifiers: Randomness.id)
    }

    /// Opens a store that exists and migrates it. For commands to which a mistyped path must not look like an empty store.
    package func openExistingStore() throws(OpeningRefusal) -> Store {
        try SQLiteDatabase.requireFile(at: description)
        return try openStore()
    }

    /// Opens the store for reading; neither creates nor migrates it.
    package func reader() throws(OpeningRefusal) -> StoreReader {
        StoreReader(try SQLiteReader(path: description))
    }

    /// Copies the database consistently, also while other processes use it.
    package func backup(to destination: String) throws(BackupRefusal) {
        try SQLiteDatabase.backup(description, to: destination)
    }

    /// Replaces the database by a backup; see `Store.prepareRestored`.
    /// - Returns: the path at which the replaced database is kept; nil if there was none.
    package func restore(from copy: String, by author: Author) throws(RestoreRefusal) -> String? {
        try SQLiteDatabase.restore(copy, to: description, clock: SystemClock()) { connection throws(Failure) in
            try Store.prepareRestored(connection, by: author)
        }.former
    }
}
