import QuickActions
import SQL
import Shortcuts

extension SQLRow {
    /// A value that was valid when it was written.
    mutating func parsed<Value>(_ parse: (String) -> Value?) throws(Failure) -> Value {
        let text = try text()
        guard let value = parse(text) else { throw .corrupt("\(quoted(text)) is not a \(Value.self).") }
        return value
    }

    mutating func optionallyParsed<Value>(_ parse: (String) -> Value?) throws(Failure) -> Value? {
        guard let text = try optionalText() else { return nil }
        guard let value = parse(text) else { throw .corrupt("\(quoted(text)) is not a \(Value.self).") }
        return value
    }

    /// Words separated by blanks; nil for null.
    mutating func words<Value>(_ parse: (String) -> Value?) throws(Failure) -> [Value]? {
        guard let text = try optionalText() else { return nil }
        var values: [Value] = []
        for word in text.split(separator: " ") {
            guard let value = parse(String(word)) else { throw .corrupt("\(quoted(text)) names no \(Value.self).") }
            values.append(value)
        }
        return values
    }

    mutating func id<ID: OpaqueID>() throws(Failure) -> ID {
        ID(try text())
    }

    mutating func flag() throws(Failure) -> Bool {
        try integer() != 0
    }

    mutating func time() throws(Failure) -> Timestamp {
        Timestamp(milliseconds: try integer())
    }

    mutating func optionalTime() throws(Failure) -> Timestamp? {
        try optionalInteger().map(Timestamp.init(milliseconds:))
    }
}

extension SQLValue {
    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    /// An id, a version or a tag, as it writes itself.
    init(_ value: (some CustomStringConvertible)?) {
        self.init(value?.description)
    }

    init(_ time: Timestamp?) {
        self = time.map { .integer($0.milliseconds) } ?? .null
    }

    init(_ flag: Bool) {
        self = .integer(flag ? 1 : 0)
    }

    init(_ number: Int) {
        self = .integer(Int64(number))
    }

    init(utf8 bytes: [UInt8]) {
        self = .text(String(decoding: bytes, as: UTF8.self))
    }

    init(words: [String]?) {
        self.init(words?.joined(separator: " "))
    }
}

/// `?, ?, ?`
func placeholders(_ count: Int) -> String {
    Array(repeating: "?", count: count).joined(separator: ", ")
}
