extension JSON {
    /// UTF-8 without white space; members keep their order.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        append(to: &bytes)
        return bytes
    }

    /// A copy with the members of every object sorted by their UTF-8 bytes. This is not RFC 8785, which writes `1.0` as `1`.
    package var canonical: JSON {
        switch self {
        case .array(let elements):
            .array(elements.map(\.canonical))
        case .object(let members):
            .object(members.sorted { $0.name < $1.name }.map { Member($0.name, $0.value.canonical) })
        case .null, .boolean, .integer, .real, .outOfRange, .string:
            self
        }
    }

    /// Appends the value as in `encoded`.
    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .boolean(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .real(let value): bytes.append(contentsOf: realText(value).utf8)
        case .outOfRange(let text, _): bytes.append(contentsOf: text.utf8)
        case .string(let text): Self.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// RFC 8259 section 7: only the quotation mark, the backslash and control characters are escaped.
    private static func append(_ text: Text, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var string = text.string
        string.withUTF8 { text in
            if text.contains(where: isEscaped) {
                for byte in text { append(byte, to: &bytes) }
            } else {
                bytes.append(contentsOf: text)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
        case 0x08: bytes.append(contentsOf: "\\b".utf8)
        case 0x0C: bytes.append(contentsOf: "\\f".utf8)
        case 0x0A: bytes.append(contentsOf: "\\n".utf8)
        case 0x0D: bytes.append(contentsOf: "\\r".utf8)
        case 0x09: bytes.append(contentsOf: "\\t".utf8)
        case 0..<0x20:
            let hex = String(byte, radix: 16)
            bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
            bytes.append(contentsOf: hex.utf8)
        default: bytes.append(byte)
        }
    }
}

/// The shortest decimal text that round-trips, always with a point or an exponent. The exponent form is used below 1e-4 and from 1e16 on, as
/// Python's `repr` and most others do, so that other programs can compute the same action hash. Swift's `description` uses it from 2^54.
package func realText(_ value: Double) -> String {
    let text = value.description
    guard value.magnitude >= 1e16, !text.contains("e"), text.hasSuffix(".0") else { return text }
    let sign = value < 0 ? "-" : ""
    let digits = text.dropFirst(sign.count).dropLast(2)
    let exponent = digits.count - 1
    var fraction = digits.dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return sign + digits.prefix(1) + (fraction.isEmpty ? "" : "." + fraction) + "e+\(exponent)"
}
