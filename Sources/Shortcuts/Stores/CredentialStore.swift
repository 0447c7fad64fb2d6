/// Tells which credentials are valid.
package protocol CredentialStore: Sendable {
    /// The given credentials that were neither revoked nor ended. Expired ones may be among them.
    func existing(_ credentials: Set<Credential>) throws(Failure) -> Set<Credential>
}
