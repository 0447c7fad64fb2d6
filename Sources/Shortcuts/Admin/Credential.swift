/// What the admin plane lets somebody in by, as the store knows it.
package enum Credential: Hashable, Sendable {
    case token(TokenID)
    /// By the SHA-256 of its secret.
    case session([UInt8])
}
