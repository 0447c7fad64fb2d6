import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// Limits the events of each key, such as an address or a token, within any time window. Each process counts on its own.
final class RateLimit: Sendable {
    /// The most keys in memory. Above it, the keys with the oldest events are removed.
    private static let maxKeys = 10_000

    private let limit: Int
    private let window: Int64
    private let events = Mutex<[String: [Timestamp]]>([:])

    init(_ limit: Int, within window: Duration) {
        self.limit = limit
        self.window = window.inMilliseconds
    }

    /// Counts an event of the key.
    /// - Parameter sentence: describes the limit, for the error.
    /// - Throws: `tooManyRequests` above the limit. The event is then not counted.
    func admit(_ key: String, at now: Timestamp, _ sentence: @autoclosure () -> String) throws(Failure) {
        guard let wait = count(key, at: now) else { return }
        throw Failure(
            .tooManyRequests, "\(sentence()) Try again in \(wait == 1 ? "1 second" : "\(wait) seconds").", retryAfter: wait)
    }

    /// - Returns: the seconds until the next event is admitted; nil if this event is admitted.
    private func count(_ key: String, at now: Timestamp) -> Int? {
        events.withLock { events in
            let recent = events[key, default: []].filter { $0 <= now && $0.milliseconds > now.milliseconds - window }
            if recent.count >= limit, let first = recent.first {
                return Int(clamping: (first.milliseconds + window - now.milliseconds + 999) / 1000)
            }
            events[key] = recent + [now]
            if events.count > Self.maxKeys { Self.forgetOldest(of: &events) }
            return nil
        }
    }

    private static func forgetOldest(of events: inout [String: [Timestamp]]) {
        let oldest = events.sorted { ($0.value.last?.milliseconds ?? 0) < ($1.value.last?.milliseconds ?? 0) }
        for (key, _) in oldest.prefix(maxKeys / 10) { events[key] = nil }
    }
}

/// Allows ten failed sign-ins per minute from one IPv4 address or one IPv6 /64 network. A valid token still signs in, a stored token up to
/// five times per second. So guessing locks nobody out, and a token has too many bits to guess.
struct SignInLimit: Sendable {
    private let failures = RateLimit(10, within: .seconds(60))
    private let sessions = RateLimit(5, within: .seconds(1))

    /// Runs `signIn`.
    /// - Throws: the errors of `signIn`. Above the limit, `tooManyRequests` replaces `unauthenticated`, the only error that counts as a
    ///   failed sign-in.
    func attempt<Result>(
        from sender: Sender, at now: Timestamp, _ signIn: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do throws(Failure) {
            return try signIn()
        } catch {
            guard error.code == .unauthenticated else { throw error }
            try failures.admit(sender.network, at: now, "Ten sign-ins from this address have failed within a minute.")
            throw error
        }
    }

    /// - Throws: `tooManyRequests` if a stored token has signed in five times within a second.
    func admit(_ identity: Identity, at now: Timestamp) throws(Failure) {
        guard !identity.isConfigured else { return }
        try sessions.admit(
            identity.id.description, at: now, "\(identity.title) has signed in five times within a second.")
    }
}
