import CPQ
import Shortcuts
import Storage

extension PostgresConnection: SQLConnection {
    /// False if the transaction must be repeated as a whole, or cannot be.
    var isInTransaction: Bool { !hasFailed && !isRolledBack && !(error?.allowsRepetition ?? false) }

    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int {
        if sql.hasPrefix("ROLLBACK") {
            // In a separate segment: otherwise an error of an earlier enqueued statement would skip it.
            drain()
            error = nil
            isRolledBack = sql == "ROLLBACK"
        }
        try send(sql, values, .wanted)
        return try receive().last?.writtenRows ?? 0
    }

    func enqueue(_ sql: String, _ values: [SQLValue]) throws(Failure) {
        try send(sql, values, .ignored)
    }

    @discardableResult
    func executeEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure) -> [Int] {
        guard !values.isEmpty else { return [] }
        for values in values { try send(sql, values, .wanted) }
        return try receive().map(\.writtenRows)
    }

    func enqueueEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure) {
        var rest = values[...]
        while rest.count > 1, let statement = NumberedSQL.inserting(rows: min(rest.count, Self.rowsOfInsert), sql) {
            let rows = rest.prefix(Self.rowsOfInsert)
            try send(statement, Array(rows.joined()), .ignored)
            rest = rest.dropFirst(rows.count)
        }
        for values in rest { try send(sql, values, .ignored) }
        _ = try receive()
    }

    /// A statement may have 65,535 values, and the widest table has about 25 columns.
    private static let rowsOfInsert = 100

    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        try send(sql, values, .wanted)
        return try (receive().last?.rows ?? []).map { values throws(Failure) in
            var row = SQLRow(values)
            return try read(&row)
        }
    }

    /// NO KEY: other transactions may still insert rows that refer to the locked row.
    func locking(_ lock: RowLock) -> String {
        switch lock {
        case .waiting: " FOR NO KEY UPDATE"
        case .skipping: " FOR NO KEY UPDATE SKIP LOCKED"
        }
    }

    func byteCount(of column: String) -> String { "OCTET_LENGTH(\(column))" }

    func run(script: String) throws(Failure) {
        try execute(script: script)
    }

    func continueNumbering(of table: String, by column: String) throws(Failure) {
        try enqueue(
            "SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), MAX(\(column))) FROM \(table) HAVING COUNT(*) > 0", [])
    }

    func record(change: String) throws(Failure) {
        records.append(change)
    }
}

/// A statement in PostgreSQL's syntax: `$1`, `$2` … in place of `?`, outside of text literals.
struct NumberedSQL {
    let text: String
    let parameterCount: Int

    init(_ sql: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sql.utf8.count + 16)
        var (count, isInLiteral) = (0, false)
        for byte in sql.utf8 {
            if byte == UInt8(ascii: "'") { isInLiteral.toggle() }
            if byte == UInt8(ascii: "?"), !isInLiteral {
                count += 1
                bytes += "$\(count)".utf8
            } else {
                bytes.append(byte)
            }
        }
        text = String(decoding: bytes, as: UTF8.self)
        parameterCount = count
    }

    /// An INSERT of one row of parameters, as an INSERT of several rows; nil for another statement. Also nil for `ON CONFLICT … DO UPDATE`,
    /// which rejects two rows with the same key.
    static func inserting(rows: Int, _ sql: String) -> NumberedSQL? {
        guard sql.hasPrefix("INSERT"), !sql.contains("DO UPDATE"), let found = sql.firstRange(of: /VALUES (\([?, ]+\))/) else { return nil }
        let row = sql[found].dropFirst("VALUES ".count)
        let list = repeatElement(row, count: rows).joined(separator: ", ")
        return NumberedSQL(sql[..<found.lowerBound] + "VALUES " + list + sql[found.upperBound...])
    }
}

/// The values of one statement in libpq's form: binary, one after another in one buffer.
///
/// The types are sent too, because PostgreSQL would treat an untyped value in an expression as text. NULL has no type.
struct Parameters {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private(set) var types: [Oid] = []
    private var lengths: [Int32] = []

    init(_ values: [SQLValue]) {
        for value in values {
            let start = bytes.count
            switch value {
            case .null:
                types.append(0)
            case .integer(let integer):
                types.append(TypeID.int8)
                withUnsafeBytes(of: integer.bigEndian) { bytes += $0 }
            case .text(let text):
                types.append(TypeID.text)
                bytes += text.utf8
            case .blob(let blob):
                types.append(TypeID.bytea)
                bytes += blob
            }
            offsets.append(value == .null ? nil : start)
            lengths.append(Int32(bytes.count - start))
        }
        // An empty buffer has no address, which would mean NULL.
        bytes.append(0)
    }

    var count: Int32 { Int32(types.count) }

    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { buffer in
            let base = buffer.bindMemory(to: CChar.self).baseAddress
            let pointers = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
            let formats = [Int32](repeating: 1, count: types.count)
            return pointers.withUnsafeBufferPointer { pointers in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress) }
                }
            }
        }
    }
}

/// The object ids of the types in the schema (pg_type.dat). They are the same in every server.
enum TypeID {
    static let (boolean, bytea, int8, int2, int4, text): (Oid, Oid, Oid, Oid, Oid, Oid) = (16, 17, 20, 21, 23, 25)
}
