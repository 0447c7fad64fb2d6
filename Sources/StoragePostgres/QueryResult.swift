import CPQ
import Storage

/// One result of libpq. It is freed at the end.
struct QueryResult: ~Copyable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { PQclear(handle) }

    var status: ExecStatusType { PQresultStatus(handle) }

    /// The command and its effect, such as `INSERT 0 1`.
    var commandTag: String { String(cString: PQcmdStatus(handle)) }

    /// The number of rows that the command wrote; zero for a command that writes none.
    var writtenRows: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    var rows: [[SQLValue]] {
        let columns = PQnfields(handle)
        return (0..<PQntuples(handle)).map { row in (0..<columns).map { value(row, $0) } }
    }

    /// The error that the server reported.
    var error: PostgresError {
        // PG_DIAG_SQLSTATE, a macro that Swift does not import.
        let state = PQresultErrorField(handle, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
        // PG_DIAG_MESSAGE_PRIMARY. The detail that follows it may quote a row, which may contain a secret.
        let message = PQresultErrorField(handle, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? "no message"
        return PostgresError(state: state, message: message)
    }

    /// Values arrive as text. A value that is neither a number nor bytes is text, which `SQLRow` rejects if it expects another type.
    private func value(_ row: Int32, _ column: Int32) -> SQLValue {
        guard PQgetisnull(handle, row, column) == 0, let start = PQgetvalue(handle, row, column) else { return .null }
        let length = Int(PQgetlength(handle, row, column))
        let bytes = UnsafeRawBufferPointer(start: start, count: length)
        switch PQftype(handle, column) {
        case TypeID.int8, TypeID.int4, TypeID.int2:
            return Int64(String(decoding: bytes, as: UTF8.self)).map { .integer($0) } ?? .null
        case TypeID.boolean:
            return .integer(bytes.first == UInt8(ascii: "t") ? 1 : 0)
        case TypeID.bytea:
            return .blob(Self.bytes(hex: bytes.dropFirst(2)))
        default:
            return .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// `bytea_output = hex`, the default since PostgreSQL 9.0: `\x` and two digits a byte.
    private static func bytes(hex: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hex.count / 2)
        var high: UInt8?
        for digit in hex {
            let value = digit <= UInt8(ascii: "9") ? digit &- UInt8(ascii: "0") : (digit | 0x20) &- UInt8(ascii: "a") &+ 10
            if let previous = high {
                bytes.append(previous << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}
