internal import QuickActions

/// Exponential backoff: after a failure no request is made for 2 s, then for twice as long each time, up to 5 minutes. Each delay is
/// multiplied by a random factor from 0.5 to 1, so that not all apps come back at once. A longer `Retry-After` is respected.
struct Backoff: Sendable {
    private static let first = 2.0
    private static let longest = 300.0

    private var failures = 0
    private var until: Timestamp?

    func isOver(at now: Timestamp) -> Bool { until.map { $0 <= now } ?? true }

    /// - Parameters:
    ///   - asked: the answer's `Retry-After`.
    ///   - random: from 0 to 1, for the jitter.
    mutating func fail(at now: Timestamp, asked: Duration?, random: Double) {
        var delay = Self.first
        for _ in 0..<min(failures, 10) { delay *= 2 }
        failures += 1
        let jittered = min(delay, Self.longest) * (0.5 + 0.5 * min(max(random, 0), 1))
        until = now + max(.milliseconds(Int64(jittered * 1000)), asked ?? .zero)
    }

    mutating func succeed() { self = Backoff() }
}
