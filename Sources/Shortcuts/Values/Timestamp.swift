import Foundation

/// A point in time in milliseconds since 1970, UTC; its text is RFC 3339.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    package var description: String {
        Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

/// The source of time; tests give their own.
package protocol WallClock: Sendable {
    func now() -> Timestamp
}

package struct SystemClock: WallClock {
    package init() {}

    package func now() -> Timestamp { Timestamp(Date()) }
}
