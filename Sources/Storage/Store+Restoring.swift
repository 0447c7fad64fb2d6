import SQL
import Shortcuts

extension Store {
    /// How far the revision counter of a restored app is raised: more than is published between two backups.
    package static let revisionsSkipped: Int64 = 1000

    /// Changes a backup before it replaces a database.
    ///
    /// Revisions that were published after the backup are lost, but devices and webhook consumers have seen their numbers, which must
    /// not be issued again. So every counter is raised, that of an app without a revision too. Sessions end, because some may have been ended
    /// after the backup.
    package static func prepareRestored(_ connection: any SQLConnection, by author: Author) throws(Failure) {
        try connection.execute("INSERT INTO revision_counters SELECT id, 0 FROM apps WHERE 1 = 1 ON CONFLICT (app) DO NOTHING", [])
        try connection.execute("UPDATE revision_counters SET last_revision = last_revision + ?", [.integer(revisionsSkipped)])
        try connection.execute("DELETE FROM sessions", [])
        try connection.insert(AuditEntry(author: author, action: .storeRestored))
    }
}
