import QuickActions

extension RetryAfter {
    /// Adds up to 20 %, so that retries spread out; still at most 24 hours.
    func jittered(by random: UInt64) -> Int64 {
        min(milliseconds + Int64(Double(milliseconds) * 0.2 * random.unitInterval), Self.maximum)
    }
}
