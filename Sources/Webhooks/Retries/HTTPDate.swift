import QuickActions
import Shortcuts

/// A date of RFC 9110 section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete forms.
struct HTTPDate {
    let secondsSince1970: Int64

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter now: what the two-digit year of the RFC 850 form is judged by.
    init?(_ text: String, now: Timestamp) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        let parts: (year: String, month: String, day: String, time: String)
        switch words.count {
        case 6 where words[5] == "GMT" && words[3].count == 4:
            parts = (words[3], words[2], words[1], words[4])
        case 5 where words[4].count == 4:
            parts = (words[4], words[1], words[2], words[3])
        case 4 where words[3] == "GMT":
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, let year = Self.fullYear(date[2], near: Self.year(of: now)) else { return nil }
            parts = (String(year), date[1], date[0], words[2])
        default: return nil
        }
        guard let month = Self.months.firstIndex(of: parts.month), let year = Self.number(parts.year, 1970...9999),
            let day = Self.number(parts.day, 1...Self.days(in: month + 1, of: year)), let seconds = Self.seconds(parts.time)
        else { return nil }
        secondsSince1970 = Self.daysSince1970(year, month + 1, day) * 86_400 + Int64(seconds)
    }

    private static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text),
            range.contains(value)
        else { return nil }
        return value
    }

    private static func seconds(_ time: String) -> Int? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = number(parts[0], 0...23),
            let minute = number(parts[1], 0...59), let second = number(parts[2], 0...60)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func year(of time: Timestamp) -> Int {
        1970 + Int(time.milliseconds / 31_556_952_000)
    }

    private static func fullYear(_ text: String, near current: Int) -> Int? {
        guard text.utf8.count == 2, let short = number(text, 0...99) else { return nil }
        let year = current / 100 * 100 + short
        return year > current + 50 ? year - 100 : year
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days of the proleptic Gregorian calendar, years counted from March so that the leap day is the last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return Int64(shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468)
    }
}
