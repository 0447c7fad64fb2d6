import QuickActions
import Shortcuts

/// The times of the retries within the next 30 seconds. The queue's `nextDue` does not report them while a busy endpoint has a delivery
/// that is due earlier. Bounded: times are rounded up to 8 ms and stored once.
struct UpcomingRetries {
    private static let grain: Int64 = 8
    private static let horizon: Int64 = 30_000

    private var times: Set<Int64> = []

    mutating func add(_ time: Timestamp, now: Timestamp) {
        guard time > now, time.milliseconds - now.milliseconds < Self.horizon else { return }
        if times.count > Self.horizon / Self.grain { times = times.filter { $0 > now.milliseconds } }
        times.insert((time.milliseconds + Self.grain - 1) / Self.grain * Self.grain)
    }

    func next(after now: Timestamp) -> Timestamp? {
        times.lazy.filter { $0 > now.milliseconds }.min().map { Timestamp(milliseconds: $0) }
    }
}
