import SQL
import Shortcuts
import Storage
import StorageSQLite

/// What is behind the name of a database: only here is an engine chosen.
extension DatabasePath {
    /// The store in it; made where there is none, and brought to this version.
    /// - Parameter publicURL: the base of the URLs in events.
    package func openStore(
        _ configuration: Store.Configuration = Store.Configuration(), publicURL: String = ""
    ) throws(OpeningRefusal) -> Store {
        try Store(
            SQLiteDatabase.open(description, clock: SystemClock()), configuration: configuration,
            announcer: Announcer(publicURL: publicURL, makeID: Randomness.id), identifiers: Randomness.id)
    }

    /// The store that is there: a mistyped path would make an empty one, and what is in it be believed.
    package func openExistingStore() throws(OpeningRefusal) -> Store {
        try SQLiteDatabase.requireFile(at: description)
        return try openStore()
    }

    /// For who only reads: neither creates nor migrates it.
    package func reader() throws(OpeningRefusal) -> StoreReader {
        StoreReader(try SQLiteReader(path: description))
    }

    /// Copies it consistently, also while others read and write it.
    package func backup(to destination: String) throws(BackupRefusal) {
        try SQLiteDatabase.backup(description, to: destination)
    }

    /// Puts a backup in its place; see `Store.prepareRestored`.
    /// - Returns: the path at which what was there is kept; nil where there was nothing.
    package func restore(from copy: String, by author: Author) throws(RestoreRefusal) -> String? {
        try SQLiteDatabase.restore(copy, to: description, clock: SystemClock()) { connection throws(Failure) in
            try Store.prepareRestored(connection, by: author)
        }.former
    }
}
