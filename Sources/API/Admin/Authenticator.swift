import HTTP
import QuickActions
import Shortcuts

/// The sender of an authenticated request.
struct Identity: Sendable {
    let id: TokenID
    let name: String
    let role: Role
    let scope: Scope
    /// nil for a token that is valid until it is revoked.
    let expiresAt: Timestamp?
}

/// Authenticates requests by bearer token (RFC 6750). Secrets are compared by hash in constant time. Each request reads the store and
/// the clock, so that a revoked or expired token is refused at once.
package struct Authenticator: Sendable {
    private let tokens: any TokenStore
    /// The SHA-256 of the configured owner token; nil if none is set.
    private let configuredHash: [UInt8]?
    private let clock: any WallClock

    package init(tokens: any TokenStore, configuredToken: String?, clock: any WallClock) {
        self.tokens = tokens
        self.clock = clock
        configuredHash = configuredToken.map { sha256(Array($0.utf8)) }
    }

    /// - Parameter subject: gets the token's name, also if the token has expired.
    func authenticate(_ request: Request, _ subject: inout Refusal.Subject) throws(Failure) -> Identity {
        let credentials = request.fields.all("Authorization")
        guard let field = credentials.first, credentials.count == 1, let secret = Self.bearer(field) else {
            throw Failure(.unauthenticated, "Send the field Authorization: Bearer lp_… with a token; `longpress token create` makes one.")
        }
        let hash = sha256(Array(secret.utf8))
        if let configuredHash, isEqual(hash, configuredHash) {
            subject.token = "admin-token"
            return Identity(id: "admin-token", name: "admin-token", role: .owner, scope: .all, expiresAt: nil)
        }
        let candidates = try tokens.tokens(hashPrefix: Array(hash.prefix(8)))
        guard let token = candidates.first(where: { isEqual($0.hash, hash) }) else {
            throw Failure(.unauthenticated, "The token is not known here; it may have been revoked.")
        }
        subject.token = token.name
        // Only a sender with the whole secret learns that the token has expired.
        if let expiresAt = token.expiresAt, expiresAt <= clock.now() {
            throw Failure(
                .unauthenticated,
                "The token \(quoted(token.name)) expired at \(expiresAt.shortText): ask an owner for a new one; `longpress token create` "
                    + "makes one.")
        }
        return Identity(id: token.id, name: token.name, role: token.role, scope: token.scope, expiresAt: token.expiresAt)
    }

    /// The scheme is case-insensitive (RFC 9110 section 11.1).
    private static func bearer(_ field: String) -> String? {
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingPrefix(while: { $0 == " " }).description
    }
}

/// Compares in constant time: independent of where the first difference is.
private func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
