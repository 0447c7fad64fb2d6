import Foundation

/// A time as RFC 3339 and property lists both can write it: UTC, whole seconds, four-digit years.
struct CalendarTime {
    let secondsSince1970: Int64

    init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Reads `2026-01-31T09:00:00Z` and nothing else: what does not read back as it was written (a leap second,
    /// 30 February, another zone) is refused.
    init?(_ text: String) {
        guard text.utf8.count == 20, let date = try? Date(text, strategy: .iso8601), date.formatted(.iso8601) == text
        else { return nil }
        secondsSince1970 = Int64(date.timeIntervalSince1970)
    }

    var text: String {
        Date(timeIntervalSince1970: TimeInterval(secondsSince1970)).formatted(.iso8601)
    }
}
