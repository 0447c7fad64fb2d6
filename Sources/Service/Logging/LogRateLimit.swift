/// A token bucket for log lines that clients can cause at will: a burst, then one line per second.
struct LogRateLimit {
    private let burst: Double
    private var tokens: Double
    private var skipped = 0
    private var refilledAt: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant, burst: Double = 100) {
        (tokens, self.burst) = (burst, burst)
        refilledAt = now
    }

    /// Takes a token for one line.
    /// - Returns: the number of lines skipped since the last logged line; nil if this line must be skipped, too.
    mutating func take(at now: ContinuousClock.Instant) -> Int? {
        tokens = min(burst, tokens + max(0, (now - refilledAt) / .seconds(1)))
        refilledAt = now
        guard tokens >= 1 else {
            skipped += 1
            return nil
        }
        tokens -= 1
        defer { skipped = 0 }
        return skipped
    }
}
