import QuickActions

/// The database engine and the applied migrations.
package struct DatabaseDescription: Sendable {
    package enum Engine: String, CaseIterable, Sendable {
        case sqlite, postgres
    }

    package struct Migration: Sendable {
        package let number: Int64
        package let name: String
        package let appliedAt: Timestamp

        package init(number: Int64, name: String, appliedAt: Timestamp) {
            (self.number, self.name, self.appliedAt) = (number, name, appliedAt)
        }
    }

    package let engine: Engine
    /// Such as 3.40.1: the version of SQLite's library or of PostgreSQL's server.
    package let engineVersion: String
    /// Ordered. Newer than this program if a newer node applied a migration that is compatible with this program.
    package let migrations: [Migration]

    package init(engine: Engine, engineVersion: String, migrations: [Migration]) {
        (self.engine, self.engineVersion, self.migrations) = (engine, engineVersion, migrations)
    }
}
