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
