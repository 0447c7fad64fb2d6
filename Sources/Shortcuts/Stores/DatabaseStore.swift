import QuickActions

/// What the store is kept in.
package protocol DatabaseStore: Sendable {
    func databaseDescription() throws(Failure) -> DatabaseDescription
}

/// The database as it is: what runs it, and the steps that made its tables.
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
    /// Such as 3.40.1: of SQLite's library, of PostgreSQL's server.
    package let engineVersion: String
    /// In their order; newer than this program where another node has applied one that this program works on.
    package let migrations: [Migration]

    package init(engine: Engine, engineVersion: String, migrations: [Migration]) {
        (self.engine, self.engineVersion, self.migrations) = (engine, engineVersion, migrations)
    }
}
