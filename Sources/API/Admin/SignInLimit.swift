import HTTP
import QuickActions
import Shortcuts
import Synchronization

/// Ten failed sign-ins a minute from one IPv4 address or one IPv6 network of 64 bits; further ones are told to wait. A right token signs
/// in all the same: so guessing locks no one out, and a token has too many bits to guess. Each process counts for itself.
final class SignInLimit: Sendable {
    private static let (failures, window) = (10, Duration.seconds(60).inMilliseconds)
    /// More addresses than this are not remembered: those whose failures are oldest are forgotten.
    private static let maxNetworks = 10_000

    private let attempts = Mutex<[String: [Timestamp]]>([:])

    /// Runs `signIn`.
    /// - Throws: what `signIn` throws; in place of `unauthenticated`, which alone counts as failed, `tooManyRequests` beyond the limit.
    func attempt<Result>(
        from sender: Sender, at now: Timestamp, _ signIn: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do throws(Failure) {
            return try signIn()
        } catch {
            guard error.code == .unauthenticated, let wait = countFailure(of: sender.network, at: now) else { throw error }
            throw Failure(
                .tooManyRequests, "Ten sign-ins from this address have failed within a minute. Try again in \(wait) seconds.",
                retryAfter: wait)
        }
    }

    /// - Returns: in how many seconds the next attempt may fail; nil where this one may.
    private func countFailure(of network: String, at now: Timestamp) -> Int? {
        attempts.withLock { attempts in
            let recent = attempts[network, default: []].filter { $0 <= now && $0.milliseconds > now.milliseconds - Self.window }
            if recent.count >= Self.failures, let first = recent.first {
                return Int(clamping: (first.milliseconds + Self.window - now.milliseconds + 999) / 1000)
            }
            attempts[network] = recent + [now]
            if attempts.count > Self.maxNetworks { Self.forgetOldest(of: &attempts) }
            return nil
        }
    }

    private static func forgetOldest(of attempts: inout [String: [Timestamp]]) {
        let oldest = attempts.sorted { ($0.value.last?.milliseconds ?? 0) < ($1.value.last?.milliseconds ?? 0) }
        for (network, _) in oldest.prefix(maxNetworks / 10) { attempts[network] = nil }
    }
}
