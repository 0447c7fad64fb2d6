import GRDBSQLite

extension Store {
    /// The version of SQLite that this process is linked with at run time.
    package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }
}
