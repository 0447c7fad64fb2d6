import CPQ
import QuickActions
import Shortcuts
import Storage

extension PostgresDatabase {
    /// The oldest supported server.
    private static let oldestServer: Int32 = 140_000

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

    /// What to do with a database that lacks migrations.
    package enum Preparation: Sendable {
        /// Applies them and then listens. Several nodes may start at once: one migrates and the others wait.
        case serve
        /// Applies them and does not listen, for a short command.
        case migrate
        /// Rejects the database, as it does a newer one.
        case readOnly
    }

    /// - Parameters:
    ///   - name: the database's name in messages, without a password.
    ///   - serverWait: how long to wait for a server that cannot be reached.
    ///   - waiting: called once with the reason if the server must be waited for.
    ///   - unsafe: called when serving, with each setting that lets a crash of the server's machine lose acknowledged writes.
    package static func open(
        uri: String, name: String, _ configuration: Configuration = Configuration(), for preparation: Preparation,
        clock: any WallClock = SystemClock(), serverWait: Duration = .zero, waiting: (String) -> Void = { _ in },
        unsafe: (String) -> Void = { _ in }
    ) throws(OpeningError) -> PostgresDatabase {
        let target = ConnectionTarget(uri: uri)
        guard target.isReadable else {
            throw OpeningError(
                .cannotOpen,
                "\(name) is not a connection URI that libpq can read. Percent-encode special characters in the user and the password (RFC "
                    + "3986, section 2.1), such as %25 for %.")
        }
        let database = PostgresDatabase(target, configuration, clock: clock)
        do throws(OpeningError) {
            try database.waitForServer(name, serverWait, waiting)
            try database.requireSupported(name)
            let applied = try database.appliedMigrations(name)
            try migrations.requireKnown(applied ?? [], of: name)
            switch preparation {
            case .serve, .migrate: try database.migrate(name, clock)
            case .readOnly where applied == nil: throw .noStore(name)
            case .readOnly: guard migrations.areIncluded(in: applied ?? []) else { throw .olderStore(name) }
            }
            try database.settingUp(name) { () throws(Failure) in
                try database.measureClock()
                try database.startChangeLog()
                guard case .serve = preparation else { return }
                for setting in try database.unsafeSettings() { unsafe(setting) }
                database.listen()
            }
        } catch {
            database.close()
            throw error
        }
        return database
    }

    /// Throws `noDatabase` if the database does not contain a store. Does not create it.
    package static func requireStore(uri: String, name: String) throws(OpeningError) {
        let database = PostgresDatabase(ConnectionTarget(uri: uri), Configuration(), clock: SystemClock())
        defer { database.close() }
        try database.waitForServer(name, .zero) { _ in }
        guard try database.appliedMigrations(name) != nil else { throw .noStore(name) }
    }

    private func waitForServer(_ name: String, _ serverWait: Duration, _ waiting: (String) -> Void) throws(OpeningError) {
        let end = ContinuousClock.now + serverWait
        var isTold = false
        while true {
            do throws(Failure) {
                let connection = try pool.acquire(for: .read, before: max(end, .now + .seconds(5)))
                return pool.giveBack(connection)
            } catch {
                guard .now < end else {
                    throw OpeningError(.cannotOpen, "\(name) cannot be reached. \(error.cause ?? error.detail)", cause: error.cause)
                }
                if !isTold { waiting(error.cause ?? error.detail) }
                isTold = true
                Backoff.sleep()
            }
        }
    }

    private func requireSupported(_ name: String) throws(OpeningError) {
        let (version, encoding) = try settingUp(name) { () throws(Failure) in
            try read { connection throws(Failure) in
                let version = try connection.first("SHOW server_version_num", [], as: String.self)
                return (Int32(version ?? "") ?? 0, try connection.first("SHOW server_encoding", [], as: String.self) ?? "")
            }
        }
        guard version >= Self.oldestServer else {
            throw OpeningError(.cannotOpen, "\(name) is PostgreSQL \(version / 10_000), but Longpress requires 14 or later.")
        }
        guard encoding == "UTF8" else {
            throw OpeningError(
                .cannotOpen,
                "\(name) has the encoding \(encoding), but menus require UTF8. Create the database with CREATE DATABASE … ENCODING 'UTF8' "
                    + "TEMPLATE template0.")
        }
    }

    /// The migrations of the database; nil if it does not contain a store.
    /// - Throws: `foreignDatabase` if it contains something else.
    private func appliedMigrations(_ name: String) throws(OpeningError) -> [AppliedMigration]? {
        let found = try settingUp(name) { () throws(Failure) in
            // Longer than a transaction waits for a lock: another node may stop responding while it migrates this table.
            try read(within: limits.write) { connection throws(Failure) -> (hasTable: Bool, tables: Int64, applied: [AppliedMigration]) in
                let tables = try connection.rows(
                    """
                    SELECT CAST(c.relname AS TEXT) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
                    """, [], as: String.self)
                guard tables.contains("schema_migrations") else { return (false, Int64(tables.count), []) }
                let columns = try connection.rows(
                    """
                    SELECT CAST(column_name AS TEXT) FROM information_schema.columns
                    WHERE table_schema = current_schema() AND table_name = 'schema_migrations'
                    """, [], as: String.self)
                // Migration 6 adds the column.
                let compatible = columns.contains("compatible_with") ? "compatible_with" : "CAST(NULL AS BIGINT)"
                let applied = try connection.rows("SELECT version, \(compatible) FROM schema_migrations ORDER BY version", []) {
                    row throws(Failure) in AppliedMigration(version: try row.read(), compatibleWith: try row.read())
                }
                return (true, Int64(tables.count), applied)
            }
        }
        guard found.hasTable || found.tables == 0 else {
            throw OpeningError(
                .foreignDatabase,
                "\(name) has tables of another program. Create a separate database for Longpress. This database was not changed.")
        }
        return found.hasTable && !found.applied.isEmpty ? found.applied : nil
    }

    private func migrate(_ name: String, _ clock: any WallClock) throws(OpeningError) {
        do throws(MigrationFailure) {
            _ = try Migrator(Self.migrations, clock: clock).migrate(self)
        } catch {
            guard error.failure.code != .storageUnavailable else {
                throw OpeningError(
                    .cannotOpen, "\(name) could not be migrated now. Nothing was changed.", cause: error.failure.cause)
            }
            throw OpeningError(
                .migrationFailed,
                "\(name) could not be migrated: migration \(error.migration.version) (\(error.migration.name)) failed and was rolled back. "
                    + "\(error.failure.cause ?? "")", cause: error.failure.cause)
        }
    }

    private func unsafeSettings() throws(Failure) -> [String] {
        try read { connection throws(Failure) in
            try connection.rows(
                "SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes') AND setting = 'off' ORDER BY name", [],
                as: String.self)
        }
    }

    private func measureClock() throws(Failure) {
        let sent = databaseClock.systemNow
        let time = try read { connection throws(Failure) in
            try connection.first("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", [], as: Int64.self)
        }
        if let time { databaseClock.measure(time, sent: sent, received: databaseClock.systemNow) }
    }

    private func settingUp<Result>(_ name: String, _ body: () throws(Failure) -> Result) throws(OpeningError) -> Result {
        do throws(Failure) {
            return try body()
        } catch {
            throw OpeningError(.cannotOpen, "\(name) cannot be used. Nothing was written.", cause: error.cause ?? error.detail)
        }
    }
}

extension OpeningError {
    fileprivate static func noStore(_ name: String) -> OpeningError {
        OpeningError(
            .noDatabase,
            "\(name) has no tables of Longpress, and none were created. Set the service's database with --database or LONGPRESS_DATABASE; "
                + "longpress migrate sets up a new one.")
    }

    fileprivate static func olderStore(_ name: String) -> OpeningError {
        OpeningError(
            .olderDatabase,
            "\(name) was written by an older version of Longpress, and this command only reads. Run longpress migrate, or start the "
                + "service once.")
    }
}

/// Advisory locks of this program. Each is released at the end of its transaction.
enum AdvisoryLock: Int {
    case migrations = 0, writers, claims

    var statement: String { "SELECT pg_advisory_xact_lock(\(0x6c70_7265), \(rawValue))" }
}

extension PostgresDatabase {
    /// The version of libpq that this process is linked with at run time, such as 15.10.
    package static var libraryVersion: String { "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)" }

    package var engine: DatabaseDescription.Engine { .postgres }

    /// The server's version, without the suffix of its distribution.
    package func engineVersion() throws(Failure) -> String {
        let version = try read { connection throws(Failure) in try connection.first("SHOW server_version", [], as: String.self) }
        return String(version?.prefix { $0 != " " } ?? "unknown")
    }

    package func byteCount() throws(Failure) -> Int64 {
        try read { connection throws(Failure) in try connection.first("SELECT pg_database_size(current_database())", [], as: Int64.self) }
            ?? 0
    }
}
