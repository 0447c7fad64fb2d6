public import Foundation
internal import QuickActions

/// A property list value in `userInfo`. There is no null, and `true`, `1` and `1.0` are different values.
public enum PropertyListValue: Sendable, Hashable {
    /// A text.
    case string(String)
    /// An integer; an `NSNumber` of an `Int64` when registered.
    case integer(Int64)
    /// A real number, also a whole one such as `1.0`; an `NSNumber` of a `Double` when registered.
    case real(Double)
    /// A boolean; an `NSNumber` of a `Bool` when registered.
    case boolean(Bool)
    /// A date; in whole seconds if it comes from the service.
    case date(Date)
    /// Bytes.
    case data(Data)
    /// A list of values.
    case array([Self])
    /// Values by key. Of two canonically equivalent keys, such as a composed and a decomposed `é`, the last one wins.
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
    /// Of two canonically equivalent keys, the last one wins, with its spelling.
    init(_ dictionary: PropertyList.Dictionary) {
        self.init(minimumCapacity: dictionary.members.count)
        for member in dictionary.members {
            self[member.key.string] = nil
            self[member.key.string] = PropertyListValue(member.value)
        }
    }

    /// The members that the library adds: the version tag, the mark of an own item, and personal values. They are strings and integers.
    /// Values of other types are ignored.
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

    /// Without the members that the library adds.
    var withoutTag: Self {
        filter { !$0.key.utf8.starts(with: VersionTag.prefix.utf8) }
    }
}

extension PropertyListValue {
    /// The value as UIKit accepts it. `true`, `1` and `1.0` become `NSNumber`s of three kinds, dates `NSDate`, data `NSData`.
    package var bridged: any NSSecureCoding {
        switch self {
        case .string(let string): NSString(string: string)
        case .integer(let integer): NSNumber(value: integer)
        case .real(let real): NSNumber(value: real)
        case .boolean(let boolean): NSNumber(value: boolean)
        case .date(let date): NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case .data(let data): NSData(data: data)
        case .array(let values): NSArray(array: values.map(\.bridged))
        case .dictionary(let values): NSDictionary(dictionary: values.mapValues(\.bridged))
        }
    }

    /// Nil if the value is not valid in a property list. Collections leave out such values.
    package init?(bridged value: Any) {
        switch value {
        case let number as NSNumber: self.init(number)
        case let string as String: self = .string(string)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let values as [Any]: self = .array(values.compactMap { Self(bridged: $0) })
        case let values as [String: Any]: self = .dictionary(values.compactMapValues { Self(bridged: $0) })
        default: return nil
        }
    }

    /// `true` and `false` are two shared objects. Other numbers know the type that they were created from.
    private init(_ number: NSNumber) {
        if number === NSNumber(value: true) || number === NSNumber(value: false) {
            self = .boolean(number.boolValue)
        } else if ["d", "f"].contains(String(cString: number.objCType)) {
            self = .real(number.doubleValue)
        } else {
            self = .integer(number.int64Value)
        }
    }
}
