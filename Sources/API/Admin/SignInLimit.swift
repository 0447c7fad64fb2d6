import HTTP
import QuickActions
import Shortcuts

/// Ten failed sign-ins a minute from one IPv4 address or one IPv6 network of 64 bits; further ones are told to wait. A right token signs
/// in all the same, a stored one five times a second: so guessing locks no one out, and a token has too many bits to guess.
struct SignInLimit: Sendable {
    private let failures = RateLimit(10, within: .seconds(60))
    private let sessions = RateLimit(5, within: .seconds(1))

    /// Runs `signIn`.
    /// - Throws: what `signIn` throws; in place of `unauthenticated`, which alone counts as failed, `tooManyRequests` beyond the limit.
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

    /// - Throws: `tooManyRequests` where a stored token has signed in five times within a second.
    func admit(_ identity: Identity, at now: Timestamp) throws(Failure) {
        guard !identity.isConfigured else { return }
        try sessions.admit(
            identity.id.description, at: now, "\(identity.title) has signed in five times within a second.")
    }
}
