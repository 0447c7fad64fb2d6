import Foundation
import QuickActions

extension PropertyList {
    /// Reads a property list file, XML or binary. The OpenStep text format is rejected: no built app has it.
    static func read(_ bytes: [UInt8]) throws(Failure) -> PropertyList {
        if bytes.starts(with: "bplist".utf8) {
            do throws(BinaryPropertyListReader.ParseError) {
                return try BinaryPropertyListReader.read(bytes)
            } catch {
                switch error {
                case .malformed: throw unreadable("It is a damaged or truncated binary property list")
                case .tooLarge: throw unreadable("It expands to too many values for an Info.plist")
                }
            }
        }
        guard looksLikeXML(bytes) else { throw unreadable("It begins neither as an XML nor as a binary property list") }
        guard let value = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil),
            let list = PropertyList(foundation: value)
        else { throw unreadable("It is a damaged or truncated XML property list, or it is not UTF-8") }
        return list
    }

    private static func unreadable(_ what: String) -> Failure {
        Failure(.badRequest, "The Info.plist cannot be read as a property list. \(what). Send the Info.plist of the built app.")
    }

    /// Whether the first character is `<`, in UTF-8 or UTF-16, after white space and a byte order mark.
    private static func looksLikeXML(_ bytes: [UInt8]) -> Bool {
        let skipped: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x20, 0x09, 0x0A, 0x0D]
        return bytes.first { !skipped.contains($0) } == UInt8(ascii: "<")
    }

    private init?(foundation value: Any) {
        // The dynamic type is compared because `as? Bool` also succeeds for the numbers 0 and 1.
        if type(of: value) == Bool.self {
            guard let boolean = value as? Bool else { return nil }
            self = .boolean(boolean)
            return
        }
        switch value {
        case let value as String: self = .string(Text(value))
        case let value as NSNumber: self.init(number: value)
        case let value as Date where value.timeIntervalSince1970.magnitude < 1e12:
            self = .date(Int64(value.timeIntervalSince1970.rounded()))
        case let value as Data: self = .data(Array(value))
        case let value as [Any]:
            let elements = value.compactMap(PropertyList.init(foundation:))
            guard elements.count == value.count else { return nil }
            self = .array(elements)
        case let value as [AnyHashable: Any]:
            let members = value.compactMap { key, value -> (key: Text, value: PropertyList)? in
                guard let key = key as? String, let value = PropertyList(foundation: value) else { return nil }
                return (Text(key), value)
            }
            guard members.count == value.count else { return nil }
            self = .dictionary(.init(members))
        default: return nil
        }
    }

    private init?(number: NSNumber) {
        switch String(cString: number.objCType) {
        case "f", "d":
            guard number.doubleValue.isFinite else { return nil }
            self = .real(number.doubleValue)
        default:
            guard let integer = Int64(number.stringValue) else { return nil }
            self = .integer(integer)
        }
    }
}
