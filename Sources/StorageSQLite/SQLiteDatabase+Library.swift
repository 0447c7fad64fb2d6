import GRDBSQLite
import Shortcuts

extension SQLiteDatabase {
    /// The version of SQLite that this process is linked with at run time.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    package var engine: DatabaseDescription.Engine { .sqlite }

    package func engineVersion() throws(Failure) -> String { Self.libraryVersion }

    package func byteCount() throws(Failure) -> Int64 {
        try read { connection throws(Failure) in
            try connection.first("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()", [], as: Int64.self)
        } ?? 0
    }
}
