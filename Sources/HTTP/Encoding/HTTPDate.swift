/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7, IMF-fixdate), always 29 bytes.
package enum HTTPDate {
    package static let length = 29

    /// - Parameter secondsSince1970: not negative.
    package static func bytes(_ secondsSince1970: Int) -> [UInt8] {
        let seconds = max(0, secondsSince1970)
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civilDate(days)
        let weekday = weekdays[(days + 4) % 7]
        let time = "\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))"
        return Array("\(weekday), \(padded(day)) \(months[month - 1]) \(year) \(time) GMT".utf8)
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    /// Counts from 1 March of the year 0, where the leap day comes last; the calendar repeats after 146,097 days.
    private static func civilDate(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (daysSince1970 + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}
