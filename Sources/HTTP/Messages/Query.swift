/// The query of a request target as decoded pairs of name and value, in order.
///
/// Decoded like a form (application/x-www-form-urlencoded): `+` is a space, `%2B` is a plus sign. A pair without `=` has an empty value.
/// Empty pairs are dropped.
package struct Query: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        package let name: String
        package let value: String
    }

    package let items: [Item]

    package init() { items = [] }

    /// - Throws: 400 if an escape is malformed or does not decode to UTF-8.
    package init(decoding raw: String) throws(RequestFailure) {
        var items: [Item] = []
        for pair in raw.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: Ascii.equals)
            let name = try PercentDecoding.decode(pair[..<(equals ?? pair.endIndex)], plus: Ascii.space)
            let value = if let equals { try PercentDecoding.decode(pair[pair.index(after: equals)...], plus: Ascii.space) } else { "" }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    /// The first value with that name, or nil.
    package subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    package func all(_ name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }

    package var isEmpty: Bool { items.isEmpty }

    /// Each name once, in order of first appearance.
    package var names: [String] {
        var seen: Set<String> = []
        return items.map(\.name).filter { seen.insert($0).inserted }
    }

    /// The names that occur more than once, in order of first appearance.
    package var duplicates: [String] {
        guard items.count > 1 else { return [] }
        let counts = Dictionary(items.map { ($0.name, 1) }, uniquingKeysWith: +)
        return names.filter { counts[$0, default: 0] > 1 }
    }
}
