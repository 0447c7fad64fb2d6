/// A point in time in milliseconds since 1970, UTC; its text is RFC 3339.
package struct Timestamp: Hashable, Comparable, Sendable, TextRepresentable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package var description: String {
        // Put together from whole numbers: a sum of binary fractions would lose a millisecond here and there.
        let fraction = ((milliseconds % 1000) + 1000) % 1000
        let seconds = CalendarTime(secondsSince1970: (milliseconds - fraction) / 1000).text
        let digits = String(1000 + fraction).dropFirst()
        return "\(seconds.dropLast()).\(digits)Z"
    }

    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: time.milliseconds + duration.inMilliseconds)
    }

    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
