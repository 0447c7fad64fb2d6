/// An HTTP date (RFC 9110 section 5.6.7). It is written as `IMF-fixdate`, such as `Sun, 06 Nov 1994 08:49:37 GMT`, which is 29 bytes, and
/// parsed in this and the two obsolete forms.
package struct HTTPDate: Hashable, Sendable {
    package let secondsSince1970: Int64

    package init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Times outside the years 0 to 9999 are clamped.
    package var bytes: [UInt8] {
        let time = CivilTime(secondsSince1970: min(max(secondsSince1970, -62_167_219_200), 253_402_300_799))
        return Array(Self.weekdays[time.weekday].utf8) + Array(", ".utf8) + two(time.day) + [space]
            + Array(Self.months[time.month - 1].utf8)
            + [space] + two(time.year / 100) + two(time.year % 100) + [space] + two(time.hour) + [colon] + two(time.minute) + [colon]
            + two(time.second) + Array(" GMT".utf8)
    }

    /// - Parameter now: determines the century of a two-digit year (RFC 850).
    package init?(_ text: String, now: Timestamp) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        let parts: (year: String, month: String, day: String, time: String)
        switch words.count {
        case 6 where words[5] == "GMT" && words[3].count == 4:
            parts = (words[3], words[2], words[1], words[4])
        case 5 where words[4].count == 4:
            parts = (words[4], words[1], words[2], words[3])
        case 4 where words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, let year = Self.fullYear(date[2], near: CivilTime(secondsSince1970: now.milliseconds / 1000).year)
            else { return nil }
            parts = (String(year), date[1], date[0], words[2])
        default: return nil
        }
        guard let month = Self.months.firstIndex(of: parts.month), let year = Self.number(parts.year, 1970...9999),
            let day = Self.number(parts.day, 1...31), let seconds = Self.seconds(parts.time),
            let midnight = CivilTime(year: year, month: month + 1, day: day, hour: 0, minute: 0, second: 0).secondsSince1970
        else { return nil }
        secondsSince1970 = midnight + Int64(seconds)
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy(\.isASCIIDigit), let value = Int(text), range.contains(value)
        else { return nil }
        return value
    }

    /// The second of the day; a leap second may be 60.
    private static func seconds(_ time: String) -> Int? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = number(parts[0], 0...23),
            let minute = number(parts[1], 0...59), let second = number(parts[2], 0...60)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// A two-digit year that would be more than 50 years in the future is the most recent past year with these digits (RFC 9110 section 5.6.7).
    private static func fullYear(_ text: String, near current: Int) -> Int? {
        guard text.utf8.count == 2, let short = number(text, 0...99) else { return nil }
        let year = current / 100 * 100 + short
        return year > current + 50 ? year - 100 : year
    }
}

private let space = UInt8(ascii: " ")
private let colon = UInt8(ascii: ":")

private func two(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: 48 + number / 10 % 10), UInt8(truncatingIfNeeded: 48 + number % 10)]
}
