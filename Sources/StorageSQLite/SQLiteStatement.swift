import GRDB
import GRDBSQLite
import Shortcuts
import Storage

/// A cached prepared statement in use. At the end it is reset and its bindings are cleared.
struct SQLiteStatement: ~Copyable {
    private let statement: OpaquePointer

    init(_ sql: String, of database: GRDB.Database) throws(Failure) {
        statement = try translatingErrors { try database.cachedStatement(sql: sql).sqliteStatement }
    }

    deinit {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    func bind(_ values: [SQLValue]) throws(Failure) {
        guard sqlite3_bind_parameter_count(statement) == values.count else {
            throw Failure(DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(values.count) values", sql: sql))
        }
        for (index, value) in values.enumerated() {
            guard value.bind(to: statement, at: Int32(index + 1)) == SQLITE_OK else { throw failure }
        }
    }

    /// - Returns: whether there is another row.
    func step() throws(Failure) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure
        }
    }

    var row: SQLRow {
        SQLRow((0..<sqlite3_column_count(statement)).map { SQLValue(column: $0, of: statement) })
    }

    private var sql: String { String(cString: sqlite3_sql(statement)) }

    private var failure: Failure {
        let connection = sqlite3_db_handle(statement)
        return Failure(
            DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
                message: String(cString: sqlite3_errmsg(connection)), sql: sql))
    }
}

extension SQLValue {
    fileprivate init(column: Int32, of statement: OpaquePointer) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER:
            self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_BLOB:
            self = .blob(Array(Self.bytes(sqlite3_column_blob(statement, column), column, statement)))
        case SQLITE_NULL:
            self = .null
        default:
            // The schema has no REAL column. A real is read as text, which `SQLRow` rejects if it expects another type.
            let text = Self.bytes(sqlite3_column_text(statement, column), column, statement)
            self = .text(String(decoding: text, as: UTF8.self))
        }
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ column: Int32, _ statement: OpaquePointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }

    fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        // SQLITE_TRANSIENT: SQLite copies the bytes.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch self {
        case .null:
            return sqlite3_bind_null(statement, index)
        case .integer(let integer):
            return sqlite3_bind_int64(statement, index, integer)
        case .text(var text):
            return text.withUTF8 {
                sqlite3_bind_text64(statement, index, $0.baseAddress, UInt64($0.count), copied, UInt8(SQLITE_UTF8))
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
            return bytes.withUnsafeBytes { sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copied) }
        }
    }
}
