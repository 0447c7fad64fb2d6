/// The audit log.
package protocol AuditStore: Sendable {
    /// Newest first; oldest first with `filter.after`. Only entries of the scope's apps. Entries without an app need the scope `all`.
    func audit(_ page: PageRequest, matching filter: AuditFilter, within scope: Scope) throws(Failure) -> Page<AuditEntry>
}

extension AuditStore {
    package func audit(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<AuditEntry> {
        try audit(page, matching: AuditFilter(), within: scope)
    }
}
