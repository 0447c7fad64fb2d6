/// Which credentials there are.
package protocol CredentialStore: Sendable {
    /// Those of these that have been neither revoked nor ended. Expired ones may be among them.
    func existing(_ credentials: Set<Credential>) throws(Failure) -> Set<Credential>
}
