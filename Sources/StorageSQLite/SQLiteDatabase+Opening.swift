import Foundation
import GRDB
import GRDBSQLite
import Platform
import Shortcuts
import Storage

extension SQLiteDatabase {
    package struct Configuration: Sendable {
        /// The number of concurrent readers, beside the writer.
        package var readers = 4
        /// How long a call waits for the lock of another process before it fails as `storageUnavailable`.
        package var busyTimeout: Duration = .seconds(5)

        package init() {}
    }

    static let migrations = [
        Migration(version: 1, name: "init", script: PackageResources._001_init_sql),
        Migration(version: 2, name: "drafts", script: PackageResources._002_drafts_sql),
        Migration(version: 3, name: "resend", script: PackageResources._003_resend_sql),
        Migration(version: 4, name: "tap_counts", script: PackageResources._004_tap_counts_sql),
        Migration(version: 5, name: "token_expiry", script: PackageResources._005_token_expiry_sql),
        Migration(version: 6, name: "nodes", script: PackageResources._006_nodes_sql),
        Migration(version: 7, name: "schedule", script: PackageResources._007_schedule_sql),
        Migration(version: 8, name: "stream", script: PackageResources._008_stream_sql),
        Migration(version: 9, name: "sessions", script: PackageResources._009_sessions_sql),
        Migration(version: 10, name: "schedule_base", script: PackageResources._010_schedule_base_sql),
        Migration(version: 11, name: "tap_writers", script: PackageResources._011_tap_writers_sql),
        Migration(version: 12, name: "audit_target", script: PackageResources._012_audit_target_sql),
        Migration(version: 13, name: "quarantine", script: PackageResources._013_quarantine_sql),
        Migration(version: 14, name: "people", script: PackageResources._014_people_sql),
        Migration(version: 15, name: "traces", script: PackageResources._015_traces_sql),
        Migration(version: 16, name: "token_use", script: PackageResources._016_token_use_sql),
        Migration(version: 17, name: "people_sessions", script: PackageResources._017_people_sessions_sql),
        Migration(version: 18, name: "applied_documents", script: PackageResources._018_applied_documents_sql),
        Migration(version: 19, name: "messages", script: PackageResources._019_messages_sql),
        Migration(version: 20, name: "tap_tallies", script: PackageResources._020_tap_tallies_sql),
        Migration(version: 21, name: "preview_links", script: PackageResources._021_preview_links_sql),
        Migration(version: 22, name: "console", script: PackageResources._022_console_sql),
        Migration(version: 23, name: "rollouts", script: PackageResources._023_rollouts_sql),
        Migration(version: 24, name: "rollout_steps", script: PackageResources._024_rollout_steps_sql),
        Migration(version: 25, name: "rollout_ends", script: PackageResources._025_rollout_ends_sql),
    ]

    /// Opens a file, or creates it if it does not exist, and migrates it.
    package static func open(
        _ path: String, configuration: Configuration = Configuration(), clock: any WallClock
    ) throws(OpeningError) -> SQLiteDatabase {
        try open(path, configuration, Migrator(migrations, clock: clock)).database
    }

    /// Throws `noDatabase` if the file does not exist. Does not create it.
    package static func requireFile(at path: String) throws(OpeningError) {
        guard try appliedMigrations(ofFileAt: path) != nil else { throw .noDatabase(path) }
    }

    /// Throws if another process has the file open. Must not be called while this process has it open.
    package static func requireUnused(_ path: String) throws(OpeningError) {
        do {
            try DatabaseLock(path)?.release()
        } catch let error as FileError {
            throw OpeningError(.cannotOpen, error.description)
        } catch {
            throw OpeningError(.cannotOpen, "\(path) is in use. Stop the service first.")
        }
    }

    /// - Returns: the database, and the names of the applied migrations.
    static func open(
        _ path: String, _ configuration: Configuration, _ migrator: Migrator
    ) throws(OpeningError) -> (database: SQLiteDatabase, applied: [String]) {
        // Checked before anything is written to the file, including the switch to WAL mode.
        if let applied = try appliedMigrations(ofFileAt: path) { try migrator.migrations.requireKnown(applied, of: path) }
        let database = try SQLiteDatabase(path: path, readers: configuration.readers, busyTimeout: configuration.busyTimeout)
        do throws(MigrationFailure) {
            return (database, try migrator.migrate(database))
        } catch {
            throw OpeningError(path, error)
        }
    }
}

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

/// Checks of a file before it is opened.
extension SQLiteDatabase {
    /// The migrations of a file, read without changing it; nil if the file does not exist.
    /// - Throws: `foreignDatabase`, `notADatabase` or `cannotOpen`.
    static func appliedMigrations(ofFileAt path: String) throws(OpeningError) -> [AppliedMigration]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try readFile(path) { database in
                guard try database.tableExists("schema_migrations") else {
                    let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
                    guard tables == 0 else { throw OpeningError.foreign(path) }
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
            throw OpeningError(path, error)
        }
    }

    /// In bytes. `quick_check` of a larger file would delay the start too long.
    private static let checkedSize = 16 << 20

    private static func requireSound(_ database: GRDB.Database, _ path: String) throws {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        guard pages * pageSize <= checkedSize else { return }
        let verdict = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? ""
        guard verdict == "ok" else { throw OpeningError.damaged(path, cause: verdict) }
    }
}
