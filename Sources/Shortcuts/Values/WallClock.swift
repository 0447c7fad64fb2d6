import Foundation
import QuickActions

extension Timestamp {
    package init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}

/// The source of the current time; tests inject theirs.
package protocol WallClock: Sendable {
    func now() -> Timestamp
}

package struct SystemClock: WallClock {
    package init() {}

    package func now() -> Timestamp { Timestamp(Date()) }
}
