import QuickActions
import Shortcuts
import Synchronization

/// Ten failed sign-ins a minute from one IPv4 address or one IPv6 network of 64 bits; then none is tried before the minute is over. Each
/// process counts for itself.
final class SignInLimit: Sendable {
    private static let (failures, window) = (10, Duration.seconds(60).inMilliseconds)
    /// More addresses than this are not remembered: those whose failures are oldest are forgotten.
    private static let maxNetworks = 10_000

    private let attempts = Mutex<[String: [Timestamp]]>([:])

    /// Runs `signIn`. It counts as failed from its beginning, so that attempts at the same time cannot exceed the limit.
    /// - Throws: `tooManyRequests`, or what `signIn` throws; only its `unauthenticated` counts as failed.
    func attempt<Result>(
        from address: String, at now: Timestamp, _ signIn: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let network = Self.network(of: address)
        if let wait = begin(network, at: now) {
            throw Failure(
                .tooManyRequests, "Ten sign-ins from this address have failed within a minute. Try again in \(wait) seconds.",
                retryAfter: wait)
        }
        do throws(Failure) {
            let result = try signIn()
            forget(network, now)
            return result
        } catch {
            if error.code != .unauthenticated { forget(network, now) }
            throw error
        }
    }

    /// - Returns: in how many seconds the next attempt is admitted; nil where this one is.
    private func begin(_ network: String, at now: Timestamp) -> Int? {
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

    private func forget(_ network: String, _ time: Timestamp) {
        attempts.withLock { attempts in
            guard var times = attempts[network], let index = times.lastIndex(of: time) else { return }
            times.remove(at: index)
            attempts[network] = times.isEmpty ? nil : times
        }
    }

    private static func forgetOldest(of attempts: inout [String: [Timestamp]]) {
        let oldest = attempts.sorted { ($0.value.last?.milliseconds ?? 0) < ($1.value.last?.milliseconds ?? 0) }
        for (network, _) in oldest.prefix(maxNetworks / 10) { attempts[network] = nil }
    }

    private static func network(of address: String) -> String {
        guard let parsed = IPAddress(address) else { return address }
        return switch parsed.family {
        case .v4: "\(parsed.low)"
        case .v6: "\(parsed.high)/64"
        }
    }
}
