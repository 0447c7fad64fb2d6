/// Reads one JSON document strictly: UTF-8, no duplicate members, no lone surrogates, bounded depth, nothing after it.
package struct JSONReader {
    /// Containers nested deeper are refused: documents of ours need ten.
    static let deepest = 256
    /// Values take more memory than their text: two bytes of text can be one. The largest import has fewer.
    package static let mostValues = 4_000_000

    let bytes: [UInt8]
    private let name: String
    private let mostValues: Int
    var position = 0
    private var depth = 0
    private var count = 0

    /// - Parameter name: what failures call the document, such as the path of its file.
    package static func read(
        _ bytes: [UInt8], named name: String = "The body", atMost mostValues: Int = Self.mostValues
    ) throws(Failure) -> JSON {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Failure(.malformedJSON, "\(name) is not valid UTF-8. JSON is encoded as UTF-8.")
        }
        var reader = JSONReader(bytes: bytes, name: name, mostValues: mostValues)
        reader.skipBlanks()
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.position == bytes.count else { throw reader.failure("there is more after the end of the document") }
        return value
    }

    private init(bytes: [UInt8], name: String, mostValues: Int) {
        self.bytes = bytes
        self.name = name
        self.mostValues = mostValues
    }

    private mutating func value() throws(Failure) -> JSON {
        guard let first = peek else { throw failure("the document ends where a value should be") }
        count += 1
        guard count <= mostValues else {
            throw Failure(.contentTooLarge, "The document has more than \(mostValues) values. Send it in parts.")
        }
        switch first {
        case UInt8(ascii: "{"): return try nested { reader throws(Failure) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(Failure) in try reader.array() }
        case UInt8(ascii: "\""): return .string(Text(try string()))
        case UInt8(ascii: "t"): return try literal("true", .boolean(true))
        case UInt8(ascii: "f"): return try literal("false", .boolean(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw failure("a value should be here")
        }
    }

    private mutating func nested(_ read: (inout JSONReader) throws(Failure) -> JSON) throws(Failure) -> JSON {
        guard depth < Self.deepest else { throw failure("arrays and objects are nested more than \(Self.deepest) deep") }
        depth += 1
        defer { depth -= 1 }
        position += 1
        skipBlanks()
        return try read(&self)
    }

    private mutating func object() throws(Failure) -> JSON {
        var members: [JSON.Member] = []
        var names: Set<Text> = []
        if take("}") { return .object([]) }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw failure("a member's name in double quotes should be here") }
            let start = position
            let name = Text(try string())
            guard names.insert(name).inserted else {
                position = start
                throw failure("the member \(quoted(name.string)) is given twice")
            }
            skipBlanks()
            guard take(":") else { throw failure("a colon should be here") }
            skipBlanks()
            members.append(JSON.Member(name, try value()))
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw failure("a comma or } should be here") }
            skipBlanks()
        }
    }

    private mutating func array() throws(Failure) -> JSON {
        var elements: [JSON] = []
        if take("]") { return .array([]) }
        while true {
            elements.append(try value())
            skipBlanks()
            if take("]") { return .array(elements) }
            guard take(",") else { throw failure("a comma or ] should be here") }
            skipBlanks()
        }
    }

    private mutating func literal(_ text: StaticString, _ value: JSON) throws(Failure) -> JSON {
        for offset in 0..<text.utf8CodeUnitCount {
            guard peek == text.utf8Start[offset] else { throw failure("\(text) is not spelled out") }
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

    func failure(_ what: String) -> Failure {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let column = before.count - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        return Failure(.malformedJSON, "\(name) is not JSON: at line \(line), column \(column), \(what).")
    }
}
