import SQL
import Shortcuts

extension Store {
    /// How far above its counter a restored app goes on: more than anybody publishes between two backups.
    package static let revisionsSkipped: Int64 = 1000

    /// What is done to a backup before it takes the place of a database.
    ///
    /// What was published after the backup is lost with its revisions; their numbers are on devices and with consumers, and must
    /// not come again with another meaning. So every counter goes up, that of apps without a revision too.
    package static func prepareRestored(_ connection: any SQLConnection, by author: Author) throws(Failure) {
        try connection.execute("INSERT INTO revision_counters SELECT id, 0 FROM apps WHERE 1 = 1 ON CONFLICT (app) DO NOTHING", [])
        try connection.execute("UPDATE revision_counters SET last_revision = last_revision + ?", [.integer(revisionsSkipped)])
        try connection.insert(AuditEntry(author: author, action: .storeRestored))
    }
}
