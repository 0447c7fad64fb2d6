import Foundation
import SQL
import Shortcuts

extension SQLiteDatabase {
    package struct Configuration: Sendable {
        /// How many reads may run beside one another and beside the writer.
        package var readers = 4
        /// How long another process may keep the file to itself before a call is `storageUnavailable`.
        package var busyTimeout: Duration = .seconds(5)

        package init() {}
    }

    static let migrations = [
        Migration(version: 1, name: "init", script: PackageResources._001_init_sql),
        Migration(version: 2, name: "drafts", script: PackageResources._002_drafts_sql),
        Migration(version: 3, name: "resend", script: PackageResources._003_resend_sql),
        Migration(version: 4, name: "tap_counts", script: PackageResources._004_tap_counts_sql),
        Migration(version: 5, name: "token_expiry", script: PackageResources._005_token_expiry_sql),
    ]

    /// Opens a file, creating it where there is none, and migrates it.
    package static func open(
        _ path: String, configuration: Configuration = Configuration(), clock: any WallClock
    ) throws(OpeningRefusal) -> SQLiteDatabase {
        try open(path, configuration, Migrator(migrations, clock: clock)).database
    }

    /// - Throws: where there is no file; it is not created.
    package static func requireFile(at path: String) throws(OpeningRefusal) {
        guard try appliedMigrations(ofFileAt: path) != nil else { throw .noDatabase(path) }
    }

    /// - Returns: the database, and the names of the migrations that it lacked.
    static func open(
        _ path: String, _ configuration: Configuration, _ migrator: Migrator
    ) throws(OpeningRefusal) -> (database: SQLiteDatabase, taken: [String]) {
        // Judged before anything is written to it, even the mark of WAL mode.
        if let applied = try appliedMigrations(ofFileAt: path) { try migrator.migrations.admit(applied, of: path) }
        let database = try SQLiteDatabase(path: path, readers: configuration.readers, busyTimeout: configuration.busyTimeout)
        do throws(MigrationFailure) {
            return (database, try migrator.migrate(database))
        } catch {
            throw OpeningRefusal(path, error)
        }
    }
}
