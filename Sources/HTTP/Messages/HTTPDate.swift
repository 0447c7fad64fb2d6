/// `IMF-fixdate` (RFC 9110 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`: always 29 bytes.
package enum HTTPDate {
    package static func format(secondsSince1970: Int) -> String {
        String(decoding: bytes(secondsSince1970: secondsSince1970), as: UTF8.self)
    }

    /// Years 0 to 9999; what is outside is moved to the nearer end.
    package static func bytes(secondsSince1970: Int) -> [UInt8] {
        let seconds = min(max(secondsSince1970, -62_167_219_200), 253_402_300_799)
        let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
        let second = seconds - days * 86400
        let (year, month, day) = civil(days)
        let weekday = ((days + 4) % 7 + 7) % 7
        return weekdays[weekday] + Array(", ".utf8) + two(day) + Array(" ".utf8) + months[month - 1] + Array(" ".utf8)
            + two(year / 100) + two(year % 100) + Array(" ".utf8) + two(second / 3600) + Array(":".utf8)
            + two(second / 60 % 60) + Array(":".utf8) + two(second % 60) + Array(" GMT".utf8)
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map { Array($0.utf8) }
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        .map { Array($0.utf8) }

    private static func two(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: 48 + number / 10 % 10), UInt8(truncatingIfNeeded: 48 + number % 10)]
    }

    /// The proleptic Gregorian date so many days after 1970-01-01. Years are counted from March, so that the leap day comes last.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

/// The bytes of the present date, made once a second.
package struct DateStamp: Sendable {
    private var second = Int.min
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Brings `bytes` up to date.
    @inline(__always)
    package mutating func update(secondsSince1970 now: Int) {
        guard now != second else { return }
        second = now
        bytes = HTTPDate.bytes(secondsSince1970: now)
    }
}
