/// The sessions of the console.
package protocol SessionStore: Sendable {
    /// The session with that hash, also an expired one, and the token that it is bound to; nil once it was ended or its token revoked.
    func session(hash: [UInt8]) throws(Failure) -> (session: Session, token: Token?)?
    /// - Parameter replaced: the hash of the session that the browser had before, which ends; nil where it had none.
    /// - Throws: `unauthenticated` where the token has been revoked meanwhile.
    func createSession(_ session: Session, replacing replaced: [UInt8]?, by author: Author) throws(Failure)
    /// Does nothing where there is no such session.
    func endSession(hash: [UInt8], by author: Author) throws(Failure)
}
