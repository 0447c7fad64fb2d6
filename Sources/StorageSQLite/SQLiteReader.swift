import SQL
import Shortcuts

/// A read-only database file. It is not created, migrated or written, and no file is left in its folder.
package struct SQLiteReader: SQLReader {
    private let path: String

    /// - Throws: if the file does not exist, lacks migrations or has newer ones.
    package init(path: String) throws(OpeningRefusal) {
        guard let applied = try SQLiteDatabase.appliedMigrations(ofFileAt: path) else { throw .noDatabase(path) }
        try SQLiteDatabase.migrations.requireKnown(applied, of: path)
        guard SQLiteDatabase.migrations.areIncluded(in: applied) else { throw .older(path) }
        self.path = path
    }

    /// Opens a file without checking its migrations. A statement fails if the schema lacks a name.
    package init(uncheckedPath path: String) {
        self.path = path
    }

    package func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try translatingErrors { try SQLiteDatabase.readFile(path) { database in try body(SQLiteConnection(database)) } }
    }
}
