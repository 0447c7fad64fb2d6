import Foundation
import GRDB
import Shortcuts

/// One GRDB connection; it is valid inside its transaction only. Statements are prepared once a connection.
struct SQLiteConnection: SQLConnection {
    private let database: GRDB.Database

    init(_ database: GRDB.Database) {
        self.database = database
    }

    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int {
        try translatingErrors {
            try database.cachedStatement(sql: sql).execute(arguments: arguments(values))
            return database.changesCount
        }
    }

    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        try translatingErrors {
            var elements: [Element] = []
            let statement = try database.cachedStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement, arguments: arguments(values))
            while let row = try cursor.next() {
                var copy = SQLRow(row.databaseValues.map(SQLValue.init))
                elements.append(try read(&copy))
            }
            return elements
        }
    }

    /// Several statements without values: a migration.
    func run(script: String) throws(Failure) {
        try translatingErrors { try database.execute(sql: script) }
    }

    private func arguments(_ values: [SQLValue]) -> StatementArguments {
        // Of optionals: for a sequence of one type GRDB makes a key path with every call, a twentieth of a delivery's time.
        StatementArguments(values.map { $0.databaseValue as (any DatabaseValueConvertible)? })
    }
}

extension SQLValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        // No column of ours holds a real; a reader that meets one says so.
        case .double(let real): self = .text("\(real)")
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob(Array(data))
        }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
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
        throw Failure(.internalError, "The store failed; its operator finds more in the log.", cause: "\(error)")
    }
}

extension Failure {
    init(_ error: DatabaseError) {
        let cause = "SQLite \(error.extendedResultCode.rawValue): \(error)"
        guard error.resultCode.meansUnavailable else {
            self.init(.internalError, "The store failed; its operator finds more in the log.", cause: cause)
            return
        }
        self.init(
            .storageUnavailable, "The store cannot be used at the moment and nothing was written. Try again shortly.",
            cause: cause)
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
