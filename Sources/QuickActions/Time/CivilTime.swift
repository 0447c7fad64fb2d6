/// A date and time of the proleptic Gregorian calendar, in UTC. Its fields may be invalid.
package struct CivilTime: Hashable, Sendable {
    package let year: Int, month: Int, day: Int
    package let hour: Int, minute: Int, second: Int

    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    package init(secondsSince1970 seconds: Int64) {
        let secondOfDay = Int(seconds % 86_400 + 86_400) % 86_400
        (year, month, day) = Self.date(ofDay: (Int(seconds) - secondOfDay) / 86_400)
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    }

    /// Nil if the fields are not a valid time: 30 February, 24:00, a leap second.
    package var secondsSince1970: Int64? {
        guard (1...12).contains(month), (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second) else { return nil }
        let days = Self.day(year, month, day)
        guard Self.date(ofDay: days) == (year, month, day) else { return nil }
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// From 0 for Sunday.
    package var weekday: Int {
        ((Self.day(year, month, day) + 4) % 7 + 7) % 7
    }

    /// RFC 3339 section 5.6, without a fraction: `2026-01-31T09:00:00Z`.
    var rfc3339: String {
        "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(digits(hour, 2)):\(digits(minute, 2)):\(digits(second, 2))Z"
    }

    /// The number of days from 1970-01-01 to a date (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`):
    /// years begin in March, so that a leap day is their last, and repeat every 400.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse (`civil_from_days`).
    private static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

/// The number in decimal, padded with zeros to `count` digits.
func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number.magnitude)
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - text.utf8.count)) + text
}

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
