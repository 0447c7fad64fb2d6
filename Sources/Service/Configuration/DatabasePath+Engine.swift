import SQL
import Shortcuts
import StorageSQLite

/// What is behind the name of a database.
extension DatabasePath {
    /// Opens it, creating it where there is none, and migrates it.
    func open() throws(OpeningRefusal) -> any SQLDatabase {
        try SQLiteDatabase.open(description, clock: SystemClock())
    }

    /// Opens what is there: a mistyped path would make an empty one, and what is in it be believed.
    func openExisting() throws(OpeningRefusal) -> any SQLDatabase {
        try SQLiteDatabase.requireFile(at: description)
        return try open()
    }

    /// Neither creates nor migrates it.
    func read() throws(OpeningRefusal) -> any SQLReader {
        try SQLiteReader(path: description)
    }
}
