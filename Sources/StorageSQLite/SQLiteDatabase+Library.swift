import GRDBSQLite

extension SQLiteDatabase {
    /// The version of SQLite that this process is linked with at run time.
    package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
