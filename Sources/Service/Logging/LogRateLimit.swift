/// A token bucket for log lines that anonymous clients can cause: a burst of 100, then one a second.
struct LogRateLimit {
    private static let burst = 100.0

    private var tokens = burst
    private var skipped = 0
    private var refilledAt: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { refilledAt = now }

    /// Takes a token for one line.
    /// - Returns: the number of lines skipped since the last one; nil if this line is to be skipped too.
    mutating func take(at now: ContinuousClock.Instant) -> Int? {
        tokens = min(Self.burst, tokens + max(0, (now - refilledAt) / .seconds(1)))
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
