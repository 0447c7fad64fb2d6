/// How often one kind of line may be written that strangers can cause: a hundred at once, then one a second.
struct LineBudget {
    private static let burst = 100.0

    private var lines = burst
    private var leftOut = 0
    private var refilledAt: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant) { refilledAt = now }

    /// - Returns: how many were left out since the last one that was written; nil where this one is left out too.
    mutating func take(at now: ContinuousClock.Instant) -> Int? {
        lines = min(Self.burst, lines + max(0, (now - refilledAt) / .seconds(1)))
        refilledAt = now
        guard lines >= 1 else {
            leftOut += 1
            return nil
        }
        lines -= 1
        defer { leftOut = 0 }
        return leftOut
    }
}
