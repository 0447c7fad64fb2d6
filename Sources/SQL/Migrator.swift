import Shortcuts

/// Brings a database to the program's shape: the steps that it lacks, in order, each in a transaction of its own.
package struct Migrator: Sendable {
    package let migrations: [Migration]
    private let clock: any WallClock

    package init(_ migrations: [Migration], clock: any WallClock) {
        self.migrations = migrations
        self.clock = clock
    }

    /// - Returns: the names of the steps that the database lacked.
    package func migrate(_ database: some SQLDatabase) throws(MigrationFailure) -> [String] {
        var taken: [String] = []
        for migration in migrations {
            do {
                if try database.write({ connection throws(Failure) in try take(migration, connection) }) {
                    taken.append(migration.name)
                }
            } catch {
                throw MigrationFailure(migration: migration, failure: error)
            }
        }
        return taken
    }

    /// Asks inside the transaction: another process may be at it too.
    private func take(_ migration: Migration, _ connection: any SQLConnection) throws(Failure) -> Bool {
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
    /// Refuses a database that knows steps beyond these.
    /// - Parameters:
    ///   - applied: the versions of the steps that it has taken.
    ///   - name: how messages call it.
    package func admit(_ applied: [Int64], of name: String) throws(OpeningRefusal) {
        let known = Set(map(\.version))
        let unknown = applied.filter { !known.contains($0) }.map(String.init)
        guard unknown.isEmpty else {
            throw OpeningRefusal(
                .newerDatabase,
                "\(name) was written by a newer Longpress: migration \(unknown.joined(separator: ", ")) is not known here. "
                    + "Start that version or a later one, or restore a backup. It was not touched.")
        }
    }

    /// Whether a database has taken every one of these.
    package func areIncluded(in applied: [Int64]) -> Bool {
        Set(map(\.version)).isSubset(of: applied)
    }
}
