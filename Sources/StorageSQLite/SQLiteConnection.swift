import GRDB
import SQL
import Shortcuts

/// One connection of GRDB's; it is valid inside its transaction only. Statements are prepared once a connection, and bound,
/// stepped and read here: for rows of a few columns that costs a fraction of what GRDB's general way does.
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

    /// False once SQLite has given a transaction up by itself.
    var isInTransaction: Bool { database.isInsideTransaction }

    /// Runs a part of a transaction; where it throws, what it wrote is taken back and nothing else.
    func savepoint(_ body: (SQLiteConnection) throws(Failure) -> Void) throws(Failure) {
        try execute("SAVEPOINT part", [])
        do throws(Failure) {
            try body(self)
            try execute("RELEASE part", [])
        } catch {
            if isInTransaction { try takeBack() }
            throw error
        }
    }

    /// A part that cannot be taken back alone is taken back with the whole transaction.
    private func takeBack() throws(Failure) {
        do throws(Failure) {
            try execute("ROLLBACK TO part", [])
            try execute("RELEASE part", [])
        } catch {
            try execute("ROLLBACK", [])
            throw error
        }
    }
}

/// The one place where errors of SQLite become failures: by result code, never by text.
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
        let cause = "SQLite \(error.extendedResultCode.rawValue): \(error)"
        self = error.resultCode.meansUnavailable ? .storageUnavailable(cause: cause) : .storageFailed(cause: cause)
    }
}

extension ResultCode {
    /// The medium or its use by others is at fault, not the statement: the same call may succeed later.
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
