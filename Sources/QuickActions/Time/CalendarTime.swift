/// A time that both RFC 3339 and property lists can represent: UTC, whole seconds, years of four digits.
package struct CalendarTime: Sendable {
    package let secondsSince1970: Int64

    package init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Parses `2026-01-31T09:00:00Z`, in this form only. Nil for leap seconds, other time zones and dates that do not exist.
    package init?(_ text: String) {
        guard let time = Self.civilTime(Array(text.utf8)), let seconds = time.secondsSince1970 else { return nil }
        secondsSince1970 = seconds
    }

    package var text: String { CivilTime(secondsSince1970: secondsSince1970).rfc3339 }

    private static func civilTime(_ bytes: [UInt8]) -> CivilTime? {
        let pattern = Array("0000-00-00T00:00:00Z".utf8)
        guard bytes.count == pattern.count,
            zip(bytes, pattern).allSatisfy({ $1 == UInt8(ascii: "0") ? $0.isASCIIDigit : $0 == $1 })
        else { return nil }
        func number(_ places: Range<Int>) -> Int { bytes[places].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        return CivilTime(
            year: number(0..<4), month: number(5..<7), day: number(8..<10), hour: number(11..<13), minute: number(14..<16),
            second: number(17..<19))
    }
}
