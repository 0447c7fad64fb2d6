import GRDBSQLite
import Shortcuts

extension SQLiteDatabase {
    /// The version of SQLite that this process is linked with at run time.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    package var engine: DatabaseDescription.Engine { .sqlite }

    package func engineVersion() throws(Failure) -> String { Self.libraryVersion }
}
