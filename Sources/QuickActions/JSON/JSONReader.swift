/// Parses one JSON document strictly: valid UTF-8, no duplicate members, no unpaired surrogates, limited depth and number of values, no
/// trailing bytes.
package struct JSONReader {
    /// The limit of nested containers. The documents of the API need ten.
    static let maxDepth = 256
    /// The limit of values, because two bytes of text can be a value, which takes far more memory. The largest import has fewer values.
    package static let maxValues = 4_000_000

    let bytes: [UInt8]
    private let maxValues: Int
    var position = 0
    private var depth = 0
    private var count = 0

    /// Why a document cannot be parsed.
    package enum ParseError: Error, Hashable {
        case notUTF8
        case tooManyValues(limit: Int)
        /// - Parameters:
        ///   - line: from 1.
        ///   - column: from 1, in bytes.
        ///   - what: a clause for the message: `expected a colon`.
        case malformed(line: Int, column: Int, what: String)

        /// - Parameter name: the name of the document, such as the path of its file.
        package func sentence(_ name: String) -> String {
            switch self {
            case .notUTF8: "\(name) is not valid UTF-8. Save the JSON as UTF-8."
            case .tooManyValues(let limit): "\(name) has more than \(limit) values. Split it."
            case .malformed(let line, let column, let what): "\(name) is not JSON: at line \(line), column \(column), \(what)."
            }
        }
    }

    package static func read(_ bytes: [UInt8], atMost maxValues: Int = Self.maxValues) throws(ParseError) -> JSON {
        guard isUTF8(bytes) else { throw .notUTF8 }
        var reader = JSONReader(bytes: bytes, maxValues: maxValues)
        reader.skipBlanks()
        let value = try reader.value()
        try reader.requireEnd()
        return value
    }

    /// Reads an object with large arrays. It passes each element of such an array to `element` at once, with the array's name and the
    /// index. The returned object has empty arrays instead.
    package static func read(
        _ bytes: [UInt8], atMost maxValues: Int = Self.maxValues, element: (Text, Int, JSON) -> Void
    ) throws(ParseError) -> JSON {
        guard isUTF8(bytes) else { throw .notUTF8 }
        var reader = JSONReader(bytes: bytes, maxValues: maxValues)
        reader.skipBlanks()
        let value =
            try reader.peek != UInt8(ascii: "{")
            ? reader.value()
            : reader.nested { reader throws(ParseError) in
                try reader.object { reader, name throws(ParseError) in
                    guard reader.peek == UInt8(ascii: "[") else { return try reader.value() }
                    var count = 0
                    return try reader.nested { reader throws(ParseError) in
                        try reader.array { json in
                            element(name, count, json)
                            count += 1
                        }
                        return .array([])
                    }
                }
            }
        try reader.requireEnd()
        return value
    }

    private mutating func requireEnd() throws(ParseError) {
        skipBlanks()
        guard position == bytes.count else { throw malformed("there is more text after the end of the document") }
    }

    private init(bytes: [UInt8], maxValues: Int) {
        self.bytes = bytes
        self.maxValues = maxValues
    }

    private mutating func value() throws(ParseError) -> JSON {
        guard let first = peek else { throw malformed("expected a value, but the document ends") }
        count += 1
        guard count <= maxValues else { throw .tooManyValues(limit: maxValues) }
        switch first {
        case UInt8(ascii: "{"):
            return try nested { reader throws(ParseError) in try reader.object { reader, _ throws(ParseError) in try reader.value() } }
        case UInt8(ascii: "["):
            var elements: [JSON] = []
            return try nested { reader throws(ParseError) in
                try reader.array { elements.append($0) }
                return .array(elements)
            }
        case UInt8(ascii: "\""): return .string(Text(try string()))
        case UInt8(ascii: "t"): return try literal("true", .boolean(true))
        case UInt8(ascii: "f"): return try literal("false", .boolean(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw malformed("expected a value")
        }
    }

    private mutating func nested(_ read: (inout JSONReader) throws(ParseError) -> JSON) throws(ParseError) -> JSON {
        guard depth < Self.maxDepth else { throw malformed("arrays and objects are nested more than \(Self.maxDepth) deep") }
        depth += 1
        defer { depth -= 1 }
        position += 1
        skipBlanks()
        return try read(&self)
    }

    /// - Parameter member: reads a member's value.
    private mutating func object(_ member: (inout JSONReader, Text) throws(ParseError) -> JSON) throws(ParseError) -> JSON {
        var members: [JSON.Member] = []
        var names: Set<Text> = []
        if take("}") { return .object([]) }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw malformed("expected a member name in double quotes") }
            let start = position
            let name = Text(try string())
            guard names.insert(name).inserted else {
                position = start
                throw malformed("the member \(quoted(name.string)) occurs twice")
            }
            skipBlanks()
            guard take(":") else { throw malformed("expected a colon") }
            skipBlanks()
            members.append(JSON.Member(name, try member(&self, name)))
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw malformed("expected a comma or }") }
            skipBlanks()
        }
    }

    private mutating func array(_ element: (JSON) -> Void) throws(ParseError) {
        if take("]") { return }
        while true {
            element(try value())
            skipBlanks()
            if take("]") { return }
            guard take(",") else { throw malformed("expected a comma or ]") }
            skipBlanks()
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(ParseError) -> JSON {
        for offset in 0..<text.utf8CodeUnitCount {
            guard peek == text.utf8Start[offset] else { throw malformed("expected \(text)") }
            position += 1
        }
        return value
    }
}

extension JSONReader {
    var peek: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    func malformed(_ what: String) -> ParseError {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        return .malformed(line: line, column: column, what: what)
    }
}

private func isUTF8(_ bytes: [UInt8]) -> Bool {
    if #available(iOS 18, macOS 15, watchOS 11, tvOS 18, *) {
        String(validating: bytes, as: UTF8.self) != nil
    } else {
        // Decoding replaces malformed bytes, so the bytes then differ.
        String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes)
    }
}

extension JSONReader {
    /// RFC 8259 section 6: no leading zeros, no plus sign, digits on both sides of the point.
    mutating func number() throws(ParseError) -> JSON {
        let start = position
        var isInteger = true
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") {
            isInteger = false
            try digits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger {
            return Int64(text).map(JSON.integer) ?? .outOfRange(text, isInteger: true)
        }
        guard let real = Double(text), real.isFinite else { return .outOfRange(text, isInteger: false) }
        return .real(real)
    }

    private mutating func digits() throws(ParseError) {
        let start = position
        while let byte = peek, byte.isASCIIDigit { position += 1 }
        guard position > start else { throw malformed("expected a digit") }
    }

    mutating func string() throws(ParseError) -> String {
        position += 1
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if peek == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
        }
        var unescaped = Array(bytes[start..<position])
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: unescaped, as: UTF8.self)
            case UInt8(ascii: "\\"):
                unescaped.append(contentsOf: String(try escape()).utf8)
            case 0..<0x20:
                position -= 1
                throw malformed("a control character in a string must be escaped")
            default:
                unescaped.append(byte)
            }
        }
        throw malformed("a string is not closed")
    }

    private mutating func escape() throws(ParseError) -> Unicode.Scalar {
        let byte = peek
        position += 1
        switch byte {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try escapedScalar()
        default:
            position -= 1
            throw malformed("unknown escape")
        }
    }

    /// A `\uXXXX` escape. A high surrogate must be followed by the escape of a low surrogate. Unpaired surrogates are errors.
    private mutating func escapedScalar() throws(ParseError) -> Unicode.Scalar {
        let unit = try hexUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), take("\\"), take("u") else { throw malformed("a surrogate without the other half of its pair") }
        let trail = try hexUnit()
        guard UTF16.isTrailSurrogate(trail) else { throw malformed("a surrogate without the other half of its pair") }
        let value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        guard let scalar = Unicode.Scalar(value) else { throw malformed("a surrogate without the other half of its pair") }
        return scalar
    }

    private mutating func hexUnit() throws(ParseError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw malformed("expected four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
