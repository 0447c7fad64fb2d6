/// One field line.
package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String
}

/// The fields of a message in order; names are compared case-insensitively (RFC 9110 5.1).
package struct Fields: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    private var lines: [Field]

    package init() { lines = [] }

    package init(dictionaryLiteral elements: (String, String)...) {
        lines = elements.map { Field(name: $0, value: $1) }
    }

    package var count: Int { lines.count }
    package var isEmpty: Bool { lines.isEmpty }

    /// The value of the first line of that name, or nil.
    package func first(_ name: String) -> String? {
        for line in lines where Ascii.equalIgnoringCase(line.name, name) { return line.value }
        return nil
    }

    /// The values of all lines with that name, in order.
    package func all(_ name: String) -> [String] {
        lines.lazy.filter { Ascii.equalIgnoringCase($0.name, name) }.map(\.value)
    }

    /// The values of all lines with that name combined into one list (RFC 9110 5.3); nil if there are none.
    package func combined(_ name: String) -> String? {
        let values = all(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    package func contains(_ name: String) -> Bool { first(name) != nil }

    package mutating func append(_ name: String, _ value: String) {
        lines.append(Field(name: name, value: value))
    }

    /// Replaces all lines with that name by one, which is appended.
    package mutating func set(_ name: String, _ value: String) {
        remove(name)
        append(name, value)
    }

    package mutating func remove(_ name: String) {
        lines.removeAll { Ascii.equalIgnoringCase($0.name, name) }
    }

    mutating func reserveCapacity(_ count: Int) { lines.reserveCapacity(count) }
}

extension Fields: Sequence {
    package func makeIterator() -> IndexingIterator<[Field]> { lines.makeIterator() }
}
