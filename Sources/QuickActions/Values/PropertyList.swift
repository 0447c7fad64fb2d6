/// A property-list value. There is no null; `true`, `1` and `1.0` are a boolean, an integer and a real.
package enum PropertyList: Hashable, Sendable {
    case string(Text)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    /// Seconds since 1970-01-01T00:00:00Z.
    case date(Int64)
    case data([UInt8])
    case array([PropertyList])
    case dictionary(Dictionary)

    /// Members sorted by the UTF-8 bytes of their keys, each key once.
    package struct Dictionary: Hashable, Sendable {
        package struct Member: Hashable, Sendable {
            package let key: Text
            package let value: PropertyList
        }

        package let members: [Member]

        package static let empty = Dictionary([])

        /// Of members with the same key, the first one wins.
        package init(_ members: [(key: Text, value: PropertyList)]) {
            var sorted: [Member] = []
            for member in members.sorted(by: { $0.key < $1.key }) where sorted.last?.key != member.key {
                sorted.append(Member(key: member.key, value: member.value))
            }
            self.members = sorted
        }

        package var isEmpty: Bool { members.isEmpty }

        package subscript(key: Text) -> PropertyList? {
            members.first { $0.key == key }?.value
        }
    }
}
