import Foundation
import GRDB
import SQL

/// Checks of a file before it is opened.
extension SQLiteDatabase {
    /// The migrations of a file, read without changing it; nil if the file does not exist.
    /// - Throws: `foreignDatabase`, `notADatabase` or `cannotOpen`.
    static func appliedMigrations(ofFileAt path: String) throws(OpeningRefusal) -> [AppliedMigration]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try readFile(path) { database in
                guard try database.tableExists("schema_migrations") else {
                    let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
                    guard tables == 0 else { throw OpeningRefusal.foreign(path) }
                    return []
                }
                try requireSound(database, path)
                return try Row.fetchAll(database, sql: "SELECT * FROM schema_migrations ORDER BY version").map { row in
                    // A file from before migration 6 does not have this column. A value that is not a number is ignored.
                    let compatible: DatabaseValue? = row["compatible_with"]
                    return AppliedMigration(
                        version: try row.decode(forColumn: "version"), compatibleWith: compatible.flatMap(Int64.fromDatabaseValue))
                }
            }
        } catch {
            throw OpeningRefusal(path, error)
        }
    }

    /// In bytes. `quick_check` of a larger file would delay the start too long.
    private static let checkedSize = 16 << 20

    private static func requireSound(_ database: GRDB.Database, _ path: String) throws {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        guard pages * pageSize <= checkedSize else { return }
        let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? ""
        guard verdict == "ok" else { throw OpeningRefusal.damaged(path, cause: verdict) }
    }
}
