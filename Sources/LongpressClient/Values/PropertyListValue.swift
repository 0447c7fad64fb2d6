public import Foundation
internal import QuickActions

/// A value of `userInfo`, as a property list has them. There is no null, and `true`, `1` and `1.0` stay apart.
public enum PropertyListValue: Sendable, Hashable {
    case string(String)
    /// A number without a fraction: `NSNumber` of an `Int64`.
    case integer(Int64)
    /// A number with one, also where that is nothing: `1.0`.
    case real(Double)
    case boolean(Bool)
    /// Whole seconds where the service says it.
    case date(Date)
    case data(Data)
    case array([Self])
    /// Of two keys that Swift holds for equal, composed and decomposed, the last one stands.
    case dictionary([String: Self])
}

extension PropertyListValue {
    init(_ value: PropertyList) {
        switch value {
        case .string(let text): self = .string(text.string)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .boolean(let value): self = .boolean(value)
        case .date(let seconds): self = .date(Date(timeIntervalSince1970: TimeInterval(seconds)))
        case .data(let bytes): self = .data(Data(bytes))
        case .array(let elements): self = .array(elements.map(Self.init))
        case .dictionary(let dictionary): self = .dictionary([String: Self](dictionary))
        }
    }
}

extension [String: PropertyListValue] {
    /// Of two keys that Swift holds for equal, composed and decomposed, the last one stands with its spelling.
    init(_ dictionary: PropertyList.Dictionary) {
        self.init(minimumCapacity: dictionary.members.count)
        for member in dictionary.members {
            self[member.key.string] = nil
            self[member.key.string] = PropertyListValue(member.value)
        }
    }

    /// What the version tag is read from: its members are strings and integers, and a value of another kind is none of them.
    var tagMembers: [JSON.Member] {
        compactMap { key, value in
            guard key.utf8.starts(with: VersionTag.prefix.utf8) else { return nil }
            switch value {
            case .string(let string): return JSON.Member(Text(key), .string(string))
            case .integer(let integer): return JSON.Member(Text(key), .integer(integer))
            case .real, .boolean, .date, .data, .array, .dictionary: return nil
            }
        }
    }

    /// Without the version tag: what the app itself had put there.
    var withoutTag: Self {
        filter { !$0.key.utf8.starts(with: VersionTag.prefix.utf8) }
    }
}
