import Shortcuts

/// Applies the migrations that a database lacks, in order, each in a transaction of its own.
package struct Migrator: Sendable {
    package let migrations: [Migration]
    private let clock: any WallClock

    package init(_ migrations: [Migration], clock: any WallClock) {
        self.migrations = migrations
        self.clock = clock
    }

    /// - Returns: the names of the migrations that were applied.
    package func migrate(_ database: some SQLDatabase) throws(MigrationFailure) -> [String] {
        var applied: [String] = []
        for migration in migrations {
            do {
                if try database.transaction({ connection throws(Failure) in try apply(migration, connection) }) {
                    applied.append(migration.name)
                }
            } catch {
                throw MigrationFailure(migration: migration, failure: error)
            }
        }
        return applied
    }

    /// Checks inside the transaction, since another process may migrate at the same time.
    /// - Returns: whether the migration was applied now.
    private func apply(_ migration: Migration, _ connection: any SQLConnection) throws(Failure) -> Bool {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migrations
                (version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)
            """, [])
        let isNew =
            try connection.execute(
                "INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, ?) ON CONFLICT (version) DO NOTHING",
                [.integer(migration.version), .text(migration.name), .integer(clock.now().milliseconds)]) > 0
        if isNew { try connection.run(script: String(decoding: migration.script, as: UTF8.self)) }
        return isNew
    }
}

extension [Migration] {
    /// Throws `newerDatabase` where a database has a migration that is not one of these.
    /// - Parameters:
    ///   - applied: the versions of the migrations that the database has.
    ///   - name: the database's name in messages.
    package func requireKnown(_ applied: [Int64], of name: String) throws(OpeningRefusal) {
        let known = Set(map(\.version))
        let unknown = applied.filter { !known.contains($0) }.map(String.init)
        guard unknown.isEmpty else {
            throw OpeningRefusal(
                .newerDatabase,
                "\(name) was written by a newer Longpress: migration \(unknown.joined(separator: ", ")) is not known here. "
                    + "Start that version or a later one, or restore a backup. It was not touched.")
        }
    }

    /// Whether a database has every one of these migrations.
    package func areIncluded(in applied: [Int64]) -> Bool {
        Set(map(\.version)).isSubset(of: applied)
    }
}
