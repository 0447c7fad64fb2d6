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
