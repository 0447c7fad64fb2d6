import Shortcuts

/// Applies the migrations that a database lacks, in order, each in a separate transaction.
package struct Migrator: Sendable {
    package let migrations: [Migration]
    private let clock: any WallClock

    package init(_ migrations: [Migration], clock: any WallClock) {
        self.migrations = migrations
        self.clock = clock
    }

    /// - Returns: the names of the applied migrations.
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

    /// Checks inside the transaction, because another process may migrate at the same time.
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
        guard isNew else { return false }
        try connection.run(script: String(decoding: migration.script, as: UTF8.self))
        if let compatible = migration.compatibleWith {
            // Migration 6 added the column.
            try connection.execute(
                "UPDATE schema_migrations SET compatible_with = ? WHERE version = ?", [.integer(compatible), .integer(migration.version)])
        }
        return true
    }
}

extension [Migration] {
    /// Throws `newerDatabase` if the database has a migration that is neither known here nor compatible with the newest known one.
    /// - Parameters:
    ///   - applied: the migrations that the database has.
    ///   - name: the database's name in messages.
    package func requireKnown(_ applied: [AppliedMigration], of name: String) throws(OpeningError) {
        let known = Set(map(\.version))
        let newest = known.max() ?? 0
        let unknown = applied.filter { migration in
            !known.contains(migration.version) && migration.compatibleWith.map { newest < $0 } ?? true
        }.map { String($0.version) }
        guard unknown.isEmpty else {
            throw OpeningError(
                .newerDatabase,
                "\(name) was written by a newer version of Longpress: migration \(unknown.joined(separator: ", ")) is unknown. Start that "
                    + "version or a later one, or restore a backup. The database was not changed.")
        }
    }

    /// Whether a database has every one of these migrations.
    package func areIncluded(in applied: [AppliedMigration]) -> Bool {
        Set(map(\.version)).isSubset(of: applied.map(\.version))
    }
}

/// One step of `migrations/`, embedded in the program. A released step is never edited.
package struct Migration: Sendable {
    package let version: Int64
    package let name: String
    /// Statements in the engine's SQL. The first line may be `-- compatible-with: 5`.
    package let script: [UInt8]
    /// A program that knows this migration number, or a later one, works on a database that has this migration. Nil if a program must know
    /// this migration itself.
    package let compatibleWith: Int64?

    package init(version: Int64, name: String, script: [UInt8]) {
        self.version = version
        self.name = name
        self.script = script
        let firstLine = String(decoding: script.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        compatibleWith = firstLine.wholeMatch(of: /-- compatible-with: (\d+)\s*/).flatMap { Int64($0.output.1) }
    }
}

/// A row of `schema_migrations`.
package struct AppliedMigration: Sendable {
    package let version: Int64
    /// `Migration.compatibleWith`; nil also if the database does not have this column yet.
    package let compatibleWith: Int64?

    package init(version: Int64, compatibleWith: Int64?) {
        self.version = version
        self.compatibleWith = compatibleWith
    }
}

/// Why a migration could not be applied. It was rolled back.
package struct MigrationFailure: Error, Sendable {
    package let migration: Migration
    package let failure: Failure
}
