import GRDB
import Shortcuts
import Storage

/// A GRDB connection, valid only inside its transaction. Statements are prepared once per connection, and bound, stepped and read with the
/// C API, which for rows of a few columns is several times faster than GRDB's `Row` and `StatementArguments`.
struct SQLiteConnection: SQLConnection {
    private let database: GRDB.Database

    init(_ database: GRDB.Database) {
        self.database = database
    }

    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int {
        let statement = try SQLiteStatement(sql, of: database)
        try statement.bind(values)
        while try statement.step() {}
        return database.changesCount
    }

    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        let statement = try SQLiteStatement(sql, of: database)
        try statement.bind(values)
        var elements: [Element] = []
        while try statement.step() {
            var row = statement.row
            elements.append(try read(&row))
        }
        return elements
    }

    func run(script: String) throws(Failure) {
        try translatingErrors { try database.execute(sql: script) }
    }

    var isInTransaction: Bool { database.isInsideTransaction }
}

/// The only place where SQLite errors become failures: by result code, never by message text.
func translatingErrors<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
    do {
        return try body()
    } catch let failure as Failure {
        throw failure
    } catch let error as DatabaseError {
        throw Failure(error)
    } catch {
        throw .storageFailed(cause: "\(error)")
    }
}

extension Failure {
    init(_ error: DatabaseError) {
        self = error.resultCode.meansUnavailable ? .storageUnavailable(cause: error.cause) : .storageFailed(cause: error.cause)
    }
}

extension DatabaseError {
    /// The result code, what it means, and the statement, in one line.
    var cause: String {
        let meaning = message ?? "no message"
        // SQLite reports a bad sector as a damaged file, too (os_unix.c, SQLITE_IOERR_CORRUPTFS).
        let alternative = resultCode == .SQLITE_CORRUPT ? ", or the disk cannot be read" : ""
        let statement = sql.map { " in `" + $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") + "`" } ?? ""
        return "SQLite \(extendedResultCode.rawValue): \(meaning)\(alternative)\(statement)"
    }
}

extension ResultCode {
    /// Whether the cause is the disk or a lock, not the statement. The same call may succeed later.
    var meansUnavailable: Bool {
        switch self {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_BUSY, .SQLITE_LOCKED,
            .SQLITE_CORRUPT,
            .SQLITE_NOTADB, .SQLITE_NOMEM, .SQLITE_NOLFS, .SQLITE_PERM, .SQLITE_PROTOCOL:
            true
        default:
            false
        }
    }
}

/// A read-only database file. It is not created, migrated or written, and no file is left in its folder.
package struct SQLiteReader: SQLReader {
    private let path: String

    /// - Throws: if the file does not exist, lacks migrations or has newer ones.
    package init(path: String) throws(OpeningError) {
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
