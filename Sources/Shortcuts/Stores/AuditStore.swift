/// The audit log.
package protocol AuditStore: Sendable {
    /// Newest first; only entries of the scope's apps. Entries without an app need the scope `all`.
    func audit(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<AuditEntry>
}
