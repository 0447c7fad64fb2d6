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
