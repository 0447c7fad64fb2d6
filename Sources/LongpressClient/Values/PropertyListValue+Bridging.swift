package import Foundation

extension PropertyListValue {
    /// As UIKit takes it: `true`, `1` and `1.0` are numbers of three kinds, dates are `NSDate`, data is `NSData`.
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

    /// Nil for what no property list has. In a collection such a value is left out.
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

    /// The two booleans are two objects, whoever makes them; other numbers tell the type that they were made of.
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
