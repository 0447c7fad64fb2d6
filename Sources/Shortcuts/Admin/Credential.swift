/// A stored credential: a token or a console session.
package enum Credential: Hashable, Sendable {
    case token(TokenID)
    /// Identified by the SHA-256 of its secret.
    case session([UInt8])
}
