import QuickActions

/// A filter for audit entries. An entry is listed if it matches every member that is set.
package struct AuditFilter: Sendable {
    package var app: AppID?
    /// The token's name.
    package var token: String?
    package var tokenID: TokenID?
    package var action: AuditEntry.Action?
    /// The target's id.
    package var target: String?
    /// The earliest time, inclusive.
    package var from: Timestamp?
    /// The latest time, exclusive.
    package var to: Timestamp?
    /// Only entries after the one with this id, oldest first.
    package var after: Int64?

    package init() {}
}

extension AuditEntry {
    /// Whether the entry is about the app alone or lists it among several apps.
    package func concerns(_ app: AppID) -> Bool {
        self.app == app
            || detail.changes.contains { change in
                if case .string(let text)? = change["app"] { text.string == app.description } else { false }
            }
    }
}
