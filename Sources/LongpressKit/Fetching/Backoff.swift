/// Exponential backoff: after a failure no request is made for 2 s, then for twice as long each time, up to 5 minutes. Each delay is
/// multiplied by a random factor from 0.5 to 1, so that not all apps come back at once. A longer `Retry-After` is respected.
///
/// The clock is monotonic: a wall clock that was wrong during a failure does not extend the delay.
struct Backoff: Sendable {
    private static let first = Duration.seconds(2)
    private static let longest = Duration.seconds(300)

    private var failures = 0
    private(set) var until: ContinuousClock.Instant?

    func isOver(at now: ContinuousClock.Instant) -> Bool { until.map { $0 <= now } ?? true }

    /// - Parameters:
    ///   - asked: the answer's `Retry-After`.
    ///   - random: from 0 to 1, for the jitter.
    mutating func fail(at now: ContinuousClock.Instant, asked: Duration?, random: Double) {
        let delay = min(Self.first * (1 << min(failures, 10)), Self.longest)
        failures += 1
        until = now + max(delay * (0.5 + 0.5 * min(max(random, 0), 1)), asked ?? .zero)
    }

    mutating func succeed() { self = Backoff() }
}
