import CSQLite
import Glibc
import SimulationKernel

/// One connection to the server's file.
final class SQLite {
    enum Value {
        case null, integer(Int64), text(String), blob([UInt8])
    }

    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    /// - Parameter server: learns the size of the write-ahead log with each commit.
    init?(_ path: String, tracking server: PostgresServer? = nil) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else { return nil }
        pragma("PRAGMA synchronous = OFF")
        pragma("PRAGMA foreign_keys = ON")
        pragma("PRAGMA temp_store = MEMORY")
        pragma("PRAGMA case_sensitive_like = ON")
        pragma("PRAGMA wal_autocheckpoint = 0")
        guard let server else { return }
        let context = Unmanaged.passUnretained(server).toOpaque()
        sqlite3_wal_hook(
            handle,
            { context, _, _, frames in
                if let context { Unmanaged<PostgresServer>.fromOpaque(context).takeUnretainedValue().frames = Int(frames) }
                return SQLITE_OK
            }, context)
        sqlite3_create_function_v2(
            handle, "server_milliseconds", 0, SQLITE_UTF8, nil,
            { context, _, _ in sqlite3_result_int64(context, (Kernel.epoch + Kernel.now) / 1_000_000) }, nil, nil, nil)
        sqlite3_create_function_v2(
            handle, "octet_length", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
            { context, _, values in sqlite3_result_int64(context, Int64(sqlite3_value_bytes(values?[0]))) }, nil, nil, nil)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    private var error: ServerError {
        // SQLSTATE of an integrity violation, or of a statement that the server does not understand.
        let state = sqlite3_errcode(handle) & 0xFF == SQLITE_CONSTRAINT ? "23505" : "42601"
        return ServerError(state: state, message: String(cString: sqlite3_errmsg(handle)))
    }

    func run(_ script: String) throws(ServerError) {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw error }
    }

    @discardableResult
    func pragma(_ sql: String) -> Bool { sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK }

    /// Moves the log into the file.
    /// - Returns: whether all of it was moved.
    func checkpoint() -> Bool { sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK }

    func query(_ sql: String, _ values: [Value]) throws(ServerError) -> ServerResult {
        let statement: OpaquePointer
        if let known = statements[sql] {
            statement = known
        } else {
            var new: OpaquePointer?
            guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &new, nil) == SQLITE_OK, let new else {
                throw error
            }
            statements[sql] = new
            statement = new
        }
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            switch value {
            case .null: sqlite3_bind_null(statement, place)
            case .integer(let integer): sqlite3_bind_int64(statement, place, integer)
            case .text(let text): sqlite3_bind_text(statement, place, text, -1, Self.transient)
            case .blob(let bytes): sqlite3_bind_blob(statement, place, bytes, Int32(bytes.count), Self.transient)
            }
        }
        let columns = sqlite3_column_count(statement)
        var rows: [[Value]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { break }
            guard code == SQLITE_ROW else { throw error }
            rows.append(
                (0..<columns).map { column in
                    switch sqlite3_column_type(statement, column) {
                    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
                    case SQLITE_FLOAT: return .integer(Int64(sqlite3_column_double(statement, column)))
                    case SQLITE_TEXT:
                        let count = Int(sqlite3_column_bytes(statement, column))
                        return .text(
                            String(
                                decoding: UnsafeRawBufferPointer(start: sqlite3_column_text(statement, column), count: count), as: UTF8.self
                            ))
                    case SQLITE_BLOB:
                        let count = Int(sqlite3_column_bytes(statement, column))
                        return .blob([UInt8](UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)))
                    default: return .null
                    }
                })
        }
        let isWrite = sqlite3_stmt_readonly(statement) == 0
        let count = isWrite ? Int(sqlite3_changes(handle)) : rows.count
        let verb = sql.prefix { $0 != " " }
        let tag = isWrite ? (verb == "INSERT" ? "INSERT 0 \(count)" : "\(verb) \(count)") : "SELECT \(count)"
        return ServerResult(columns > 0 ? .rows : .command, tag: tag, rows, columns: Int(columns), written: isWrite ? count : 0)
    }
}
