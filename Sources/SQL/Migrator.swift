import Shortcuts

/// Brings a database to the program's shape: the steps that it lacks, in order, each in a transaction of its own.
struct Migrator {
    let migrations: [Migration]
    let clock: any WallClock

    /// - Returns: the database, and the names of the steps that it lacked.
    func open(
        _ path: String, readers: Int, busyTimeout: Duration
    ) throws(OpeningRefusal) -> (database: SQLiteDatabase, taken: [String]) {
        // Judged before anything is written to it, even the mark of WAL mode.
        if let applied = try SQLiteDatabase.appliedMigrations(ofFileAt: path) { try Self.admit(applied, of: path, knowing: migrations) }
        let database = try SQLiteDatabase(path: path, readers: readers, busyTimeout: busyTimeout)
        return (database, try migrate(database))
    }

    /// Refuses a database that knows steps beyond these.
    static func admit(_ applied: [Int64], of path: String, knowing migrations: [Migration]) throws(OpeningRefusal) {
        let known = Set(migrations.map(\.version))
        let unknown = applied.filter { !known.contains($0) }.map(String.init)
        guard unknown.isEmpty else {
            throw OpeningRefusal(
                .newerDatabase,
                "\(path) was written by a newer Longpress: migration \(unknown.joined(separator: ", ")) is not known here. "
                    + "Start that version or a later one, or restore a backup. The file was not touched.")
        }
    }

    private func migrate(_ database: SQLiteDatabase) throws(OpeningRefusal) -> [String] {
        var taken: [String] = []
        for migration in migrations {
            do {
                if try database.transaction({ connection throws(Failure) in try take(migration, connection) }) {
                    taken.append(migration.name)
                }
            } catch {
                throw refusal(error, migration, database.path)
            }
        }
        return taken
    }

    private func refusal(_ failure: Failure, _ migration: Migration, _ path: String) -> OpeningRefusal {
        guard failure.code != .storageUnavailable else { return .cannotOpen(path, cause: failure.cause) }
        return OpeningRefusal(
            .migrationFailed,
            "\(path) could not be brought up to date: migration \(migration.version) (\(migration.name)) failed and was "
                + "rolled back. The log has the cause; keep a copy of the file.", cause: failure.cause)
    }

    /// Asks inside the transaction: another process may be at it too.
    private func take(_ migration: Migration, _ connection: SQLiteConnection) throws(Failure) -> Bool {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations
                (version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)
            """, [])
        let isNew =
            try connection.execute(
                "INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?) ON CONFLICT (version) DO NOTHING",
                [.integer(migration.version), .text(migration.name), SQLValue(clock.now())]) > 0
        if isNew { try connection.run(script: String(decoding: migration.sql, as: UTF8.self)) }
        return isNew
    }
}
