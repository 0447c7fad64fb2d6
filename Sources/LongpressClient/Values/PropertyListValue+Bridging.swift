package import Foundation

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
