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
