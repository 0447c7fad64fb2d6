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
