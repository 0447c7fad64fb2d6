import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// Limits the events of each key, such as an address or a token, within any time window. Each process counts on its own.
final class RateLimit: Sendable {
    /// Events of one key at one time.
    private struct Events {
        let at: Timestamp
        var count: Int
    }

    /// The most keys in memory. Above it, the keys with the oldest events are removed.
    private static let maxKeys = 10_000

    private let limit: Int
    private let window: Int64
    private let events = Mutex<[String: [Events]]>([:])

    init(_ limit: Int, within window: Duration) {
        self.limit = limit
        self.window = window.inMilliseconds
    }

    /// Counts an event of the key.
    /// - Parameter sentence: describes the limit, for the error.
    /// - Throws: `tooManyRequests` above the limit. The event is then not counted.
    func admit(_ key: String, at now: Timestamp, _ sentence: @autoclosure () -> String) throws(Failure) {
        let (admitted, wait) = take(1, of: key, at: now)
        guard admitted == 0 else { return }
        throw Self.failure(sentence(), after: wait)
    }

    /// Counts up to `count` events of the key, as many as the limit allows.
    /// - Returns: the number of counted events, and the seconds until the limit allows more than now.
    func take(_ count: Int, of key: String, at now: Timestamp) -> (taken: Int, wait: Int) {
        events.withLock { events in
            var recent = events[key, default: []].filter { $0.at <= now && $0.at.milliseconds > now.milliseconds - window }
            let taken = max(0, min(count, limit - recent.reduce(0) { $0 + $1.count }))
            if taken > 0 { recent.append(Events(at: now, count: taken)) }
            events[key] = recent
            if events.count > Self.maxKeys { Self.forgetOldest(of: &events) }
            let end = (recent.first?.at.milliseconds ?? now.milliseconds) + window
            return (taken, Int(clamping: (end - now.milliseconds + 999) / 1000))
        }
    }

    /// Removes events that `take` has counted and that did not happen.
    func giveBack(_ count: Int, of key: String) {
        events.withLock { events in
            var (left, known) = (count, events[key, default: []])
            while left > 0, let last = known.popLast() {
                if last.count > left { known.append(Events(at: last.at, count: last.count - left)) }
                left -= min(left, last.count)
            }
            events[key] = known.isEmpty ? nil : known
        }
    }

    static func failure(_ sentence: String, after wait: Int) -> Failure {
        Failure(.tooManyRequests, "\(sentence) Try again in \(wait == 1 ? "1 second" : "\(wait) seconds").", retryAfter: wait)
    }

    private static func forgetOldest(of events: inout [String: [Events]]) {
        let oldest = events.sorted { ($0.value.last?.at.milliseconds ?? 0) < ($1.value.last?.at.milliseconds ?? 0) }
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

/// Allows a hundred reported taps of an app per hour from one IPv4 address or one IPv6 /64 network. Addresses are only in memory.
struct TapReportLimit: Sendable {
    private static let most = 100
    private let taps = RateLimit(most, within: .seconds(3600))

    /// Has a report counted, as far as the limit allows.
    /// - Throws: `tooManyRequests` if taps of the report are left, which count when the client repeats it.
    func count(_ report: TapReport, from sender: Sender, at now: Timestamp, in store: any TapReportStore) throws(Failure) {
        // A repeated batch needs no transaction that writes, also above the limit.
        guard report.total > 0, !(try store.isCounted(report)) else { return }
        let key = "\(report.app) \(sender.network)"
        let (allowed, wait) = taps.take(report.total, of: key, at: now)
        guard allowed > 0 else { throw Self.failure(left: report.total, after: wait) }
        let progress: TapReport.Progress
        do throws(Failure) {
            progress = try store.add(report, atMost: allowed)
        } catch {
            taps.giveBack(allowed, of: key)
            throw error
        }
        taps.giveBack(allowed - progress.added, of: key)
        if progress.left > 0 { throw Self.failure(left: progress.left, after: wait) }
    }

    private static func failure(left: Int, after wait: Int) -> Failure {
        RateLimit.failure(
            "This address has reported \(most) taps of the app within an hour. "
                + "\(left) \(left == 1 ? "tap of the batch is" : "taps of the batch are") not counted yet. Keep the batch and send it again unchanged.",
            after: wait)
    }
}
