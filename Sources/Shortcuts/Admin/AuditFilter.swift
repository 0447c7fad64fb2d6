import QuickActions

/// Which entries of the audit are listed: those that match everything that is given.
package struct AuditFilter: Sendable {
    package var app: AppID?
    /// The token's name.
    package var token: String?
    package var tokenID: TokenID?
    package var action: AuditEntry.Action?
    /// The target's id.
    package var target: String?
    /// The earliest time.
    package var from: Timestamp?
    /// The time before which the entries were written.
    package var to: Timestamp?
    /// Only entries after the one with this id; the oldest come first then.
    package var after: Int64?

    package init() {}
}

extension AuditEntry {
    /// Whether it is of the app, or of several apps and this is one of them.
    package func concerns(_ app: AppID) -> Bool {
        self.app == app
            || detail.changes.contains { change in
                if case .string(let text)? = change["app"] { text.string == app.description } else { false }
            }
    }
}
