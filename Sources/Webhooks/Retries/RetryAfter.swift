import QuickActions
import Shortcuts

/// How long an endpoint asks to be left alone (RFC 9110 section 10.2.3).
struct RetryAfter {
    static let longest: Int64 = 24 * 3_600_000

    /// From now, 24 hours at most.
    let milliseconds: Int64

    /// Nil where the field is neither seconds nor a date to come: nonsense is ignored.
    init?(_ text: String, now: Timestamp) {
        let field = text.trimmingBlanks
        if !field.isEmpty, field.utf8.allSatisfy(\.isASCIIDigit) {
            let seconds = Int64(field) ?? .max
            milliseconds = min(seconds, Self.longest / 1000) * 1000
        } else if let date = HTTPDate(String(field), now: now) {
            guard date.secondsSince1970 * 1000 > now.milliseconds else { return nil }
            milliseconds = min(date.secondsSince1970 * 1000 - now.milliseconds, Self.longest)
        } else {
            return nil
        }
        if milliseconds == 0 { return nil }
    }

    /// Up to 20 % more so that not all come back at once, nothing less, still 24 hours at most.
    func jittered(by random: UInt64) -> Int64 {
        min(milliseconds + Int64(Double(milliseconds) * 0.2 * random.unitInterval), Self.longest)
    }
}
