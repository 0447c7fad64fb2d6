/// The delay of a `Retry-After` field (RFC 9110 section 10.2.3).
package struct RetryAfter: Sendable {
    package static let maximum: Int64 = 24 * 3_600_000

    /// The delay from now, at most 24 hours.
    package let milliseconds: Int64

    /// Nil if the field is neither a number of seconds nor a future date. Callers ignore such a field.
    package init?(_ text: String, now: Timestamp) {
        let field = text.trimmingBlanks
        if !field.isEmpty, field.utf8.allSatisfy(\.isASCIIDigit) {
            let seconds = Int64(field) ?? .max
            milliseconds = min(seconds, Self.maximum / 1000) * 1000
        } else if let date = HTTPDate(String(field), now: now) {
            guard date.secondsSince1970 * 1000 > now.milliseconds else { return nil }
            milliseconds = min(date.secondsSince1970 * 1000 - now.milliseconds, Self.maximum)
        } else {
            return nil
        }
        if milliseconds == 0 { return nil }
    }
}
