import QuickActions
import Shortcuts

extension Store {
    /// How much the revision counter of a restored app is raised: more than is published between two backups.
    package static let revisionsSkipped: Int64 = 1000

    /// Changes a backup before it replaces a database.
    ///
    /// Revisions that were published after the backup are lost, but devices and webhook consumers have seen their numbers, which must not
    /// be given again. So the counter of every app is raised, even without revisions. Sessions and preview links end, because some may have
    /// ended after the backup.
    /// - Parameter dropsTokens: whether all tokens are revoked, because some may have been revoked after the backup.
    package static func prepareRestored(_ connection: any SQLConnection, dropsTokens: Bool, by author: Author) throws(Failure) {
        try connection.execute("INSERT INTO revision_counters SELECT id, 0 FROM apps WHERE 1 = 1 ON CONFLICT (app) DO NOTHING", [])
        try connection.execute("UPDATE revision_counters SET last_revision = last_revision + ?", [.integer(revisionsSkipped)])
        try connection.execute("DELETE FROM sessions", [])
        try connection.execute("DELETE FROM preview_links", [])
        try connection.insert(AuditEntry(author: author, action: .storeRestored))
        guard dropsTokens else { return }
        // A later restore of an older backup looks for these revocations in the audit.
        for token in try connection.tokenTargets() {
            try connection.insert(AuditEntry(author: author, action: .tokenRevoked, target: token))
        }
        try connection.retireTokens(where: "1 = 1", [], at: author.at)
    }

    /// The tokens of the restored database that the audit of the replaced database records as revoked.
    /// - Parameter replaced: a database of any version. Throws if its audit has no targets yet.
    package static func revivedTokens(
        in restored: any SQLReader, replaced: any SQLReader
    ) throws(Failure) -> [(token: AuditTarget, revokedAt: Timestamp, by: String)] {
        let valid = Set(try restored.read { connection throws(Failure) in try connection.tokenTargets() }.map(\.id))
        return try replaced.read { connection throws(Failure) in
            try connection.rows(
                "SELECT target_id, target_name, at, token FROM audit WHERE action = ? AND target_id IS NOT NULL ORDER BY at, sequence",
                [.text(AuditEntry.Action.tokenRevoked.rawValue)]
            ) { row throws(Failure) in
                (
                    AuditTarget(kind: .token, id: try row.read(), name: try row.read()), try row.read(Timestamp.self),
                    try row.read(String.self)
                )
            }
        }.filter { valid.contains($0.0.id) }
    }
}

extension SQLConnection {
    fileprivate func tokenTargets() throws(Failure) -> [AuditTarget] {
        try rows("SELECT id, name FROM tokens ORDER BY created_at, id", []) { row throws(Failure) in
            AuditTarget(kind: .token, id: try row.read(), name: try row.read())
        }
    }
}
