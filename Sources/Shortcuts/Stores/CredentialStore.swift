/// Tells which credentials are valid.
package protocol CredentialStore: Sendable {
    /// The given credentials that were neither revoked nor ended. Expired ones may be among them.
    func existing(_ credentials: Set<Credential>) throws(Failure) -> Set<Credential>
}

/// The tokens of the admin plane.
package protocol TokenStore: Sendable {
    /// Oldest first; only tokens whose scope is covered by `scope`.
    func tokens(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Token>
    /// The tokens whose hash begins with these eight bytes. The caller compares whole hashes in constant time.
    func tokens(hashPrefix: [UInt8]) throws(Failure) -> [Token]
    func token(_ id: TokenID) throws(Failure) -> Token?
    func createToken(_ token: Token, by author: Author) throws(Failure)
    func revokeToken(_ id: TokenID, by author: Author) throws(Failure)
}

/// The sessions of the console.
package protocol SessionStore: Sendable {
    /// The session with that hash, even if expired, and its token. Nil if the session ended or the token was revoked.
    func session(hash: [UInt8]) throws(Failure) -> (session: Session, token: Token?)?
    /// - Parameter replaced: the hash of the browser's previous session, which ends; nil if there was none.
    /// - Throws: `unauthenticated` if the token was revoked in the meantime.
    func createSession(_ session: Session, replacing replaced: [UInt8]?, by author: Author) throws(Failure)
    /// Does nothing if there is no such session.
    func endSession(hash: [UInt8], by author: Author) throws(Failure)
}
