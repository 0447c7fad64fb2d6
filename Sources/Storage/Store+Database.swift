import QuickActions
import SQL
import Shortcuts

extension Store: DatabaseStore {
    package func databaseDescription() throws(Failure) -> DatabaseDescription {
        let version = try database.engineVersion()
        let migrations = try database.read { connection throws(Failure) in
            try connection.rows(
                "SELECT version, name, applied_at FROM schema_migrations ORDER BY version", [], as: DatabaseDescription.Migration.self)
        }
        return DatabaseDescription(engine: database.engine, engineVersion: version, migrations: migrations)
    }
}

extension DatabaseDescription.Migration: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(number: try row.read(), name: try row.read(), appliedAt: try row.read())
    }
}
