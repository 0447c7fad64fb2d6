internal import Foundation
internal import QuickActions

/// The members of an event's data; nil if one is missing or has another type.
extension JSON {
    func text(_ name: Text) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text.string
    }

    func integer(_ name: Text) -> Int64? {
        guard case .integer(let integer)? = self[name] else { return nil }
        return integer
    }

    func texts(_ name: Text) -> [String]? {
        guard case .array(let elements)? = self[name] else { return nil }
        return elements.compactMap { element in
            guard case .string(let text) = element else { return nil }
            return text.string
        }
    }

    /// An RFC 3339 time.
    func date(_ name: Text) -> Date? {
        text(name).flatMap { Timestamp($0) }.map { Date(timeIntervalSince1970: Double($0.milliseconds) / 1000) }
    }
}
