/// A statement in PostgreSQL's spelling: `$1`, `$2` … in place of `?`, outside of text literals.
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
}
