import HTTP
import QuickActions
import Shortcuts

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
