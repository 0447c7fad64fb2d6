internal import QuickActions

/// When the service may be asked again after it has failed: after 2 s, twice as long each time, 5 minutes at most, of which a random
/// half is left out so that not all apps come back at once; never before the service wants it.
struct Backoff: Sendable {
    private static let first = 2.0
    private static let longest = 300.0

    private var failures = 0
    private var until: Timestamp?

    func isOver(at now: Timestamp) -> Bool { until.map { $0 <= now } ?? true }

    /// - Parameters:
    ///   - asked: how long the service asks to be left alone.
    ///   - random: from 0 to 1.
    mutating func fail(at now: Timestamp, asked: Duration?, random: Double) {
        var delay = Self.first
        for _ in 0..<min(failures, 10) { delay *= 2 }
        failures += 1
        let jittered = min(delay, Self.longest) * (0.5 + 0.5 * min(max(random, 0), 1))
        until = now + max(.milliseconds(Int64(jittered * 1000)), asked ?? .zero)
    }

    mutating func succeed() { self = Backoff() }
}
