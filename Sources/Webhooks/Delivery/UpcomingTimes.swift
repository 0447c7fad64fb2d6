import QuickActions
import Shortcuts

/// The retries of the next half minute, so that one is not overlooked behind an endpoint that is busy. Bounded: times
/// are rounded up to a few milliseconds and kept once.
struct UpcomingTimes {
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
