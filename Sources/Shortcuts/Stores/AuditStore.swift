/// Who did what.
package protocol AuditStore: Sendable {
    /// Newest first; only entries of the scope's apps (entries of no app for an unlimited scope only).
    func audit(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<AuditEntry>
}
