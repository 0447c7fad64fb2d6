/// A JSON value (RFC 8259) without loss: members keep their order, `1` and `1.0` differ, integers are exact in `Int64`.
package enum JSON: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// The text of a number that neither `Int64` nor a finite `Double` can represent.
    case outOfRange(String, isInteger: Bool)
    case string(Text)
    case array([JSON])
    case object([Member])

    package struct Member: Sendable {
        package let name: Text
        package let value: JSON

        package init(_ name: Text, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The type with its article, for messages: `a string`.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .real, .outOfRange: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// `["app": .string(app), "revision": 3, "url": url.map { .string($0) }]`
extension JSON: ExpressibleByDictionaryLiteral {
    /// An object with its members in order. A member whose value is nil is left out; null is written `.null`.
    package init(dictionaryLiteral members: (Text, JSON?)...) {
        self = .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }
}

extension JSON: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSON...) {
        self = .array(elements)
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) {
        self = .string(Text(value))
    }

    package init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    package init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }
}

/// A value that documents contain as its `description`: an id, a version, a time.
package protocol TextRepresentable: CustomStringConvertible {}

extension JSON {
    package static func string(_ value: some TextRepresentable) -> JSON { .string(Text(value.description)) }

    package static func string(_ string: String) -> JSON { .string(Text(string)) }

    /// A string, or null for nil.
    package static func optional(_ string: String?) -> JSON { string.map { .string(Text($0)) } ?? .null }

    /// A string, or null for nil.
    package static func optional(_ value: (some TextRepresentable)?) -> JSON { optional(value?.description) }

    /// An array of strings.
    package static func strings(_ values: some Sequence<some TextRepresentable>) -> JSON { .array(values.map { .string($0) }) }
}

extension JSON {
    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The value of an object's member. Nil if it is absent or this is not an object.
    package subscript(name: Text) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// An object's members in order; empty for other values.
    package var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The object with the member appended; other values are returned unchanged.
    package func adding(_ name: Text, _ value: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.adding(name, value))
    }

    /// The object with the members of another appended.
    package func adding(membersOf other: JSON) -> JSON {
        .object(members + other.members)
    }
}

extension [JSON.Member] {
    /// The value of the first member with the name.
    package subscript(name: Text) -> JSON? {
        first { $0.name == name }?.value
    }

    /// The member if it is a string.
    package func text(_ name: Text) -> Text? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }

    /// The members with one appended, unless the value is nil.
    package func adding(_ name: Text, _ value: JSON?) -> [JSON.Member] {
        guard let value else { return self }
        return self + [JSON.Member(name, value)]
    }
}

extension JSON {
    /// Compact UTF-8 with a line feed at the end, for terminals. Every JSON body of the service is written like this.
    package var encodedLine: [UInt8] { encoded + [UInt8(ascii: "\n")] }

    /// UTF-8 with every member and element on its own line, indented by two spaces, and a line feed at the end.
    package var prettyPrinted: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes, depth: 0)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Appends the value in the format of `prettyPrinted`.
    /// - Parameter depth: the number of arrays and objects around the value.
    package func append(to bytes: inout [UInt8], depth: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            Self.append(elements, between: "[", "]", to: &bytes, depth) { element, bytes in
                element.append(to: &bytes, depth: depth + 1)
            }
        case .object(let members) where !members.isEmpty:
            Self.append(members, between: "{", "}", to: &bytes, depth) { member, bytes in
                JSON.string(member.name).append(to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                member.value.append(to: &bytes, depth: depth + 1)
            }
        default: append(to: &bytes)
        }
    }

    private static func append<Part>(
        _ parts: [Part], between opening: Unicode.Scalar, _ closing: Unicode.Scalar, to bytes: inout [UInt8], _ depth: Int,
        _ append: (Part, inout [UInt8]) -> Void
    ) {
        func newLine(_ depth: Int) {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
        }
        bytes.append(UInt8(ascii: opening))
        for (index, part) in parts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            newLine(depth + 1)
            append(part, &bytes)
        }
        newLine(depth)
        bytes.append(UInt8(ascii: closing))
    }
}
