import Shortcuts

extension Store {
    /// How far above its counter a restored app goes on: more than anybody publishes between two backups.
    package static let revisionsSkipped: Int64 = 1000

    /// Puts a backup in the place of a database that nobody has open.
    ///
    /// What was published after the backup is lost with its revisions; their numbers are on devices and with consumers, and must
    /// not come again with another meaning. So every counter goes up, that of apps without a revision too.
    package static func restore(
        _ copy: String, to destination: String, by author: Author, clock: any WallClock
    ) throws(RestoreRefusal) -> Restored {
        try SQLiteDatabase.restore(copy, to: destination, Migrator(migrations: Migration.all, clock: clock), at: clock.now()) {
            connection throws(Failure) in
            try connection.execute("INSERT INTO revision_counters SELECT id, 0 FROM apps WHERE 1 = 1 ON CONFLICT (app) DO NOTHING", [])
            try connection.execute("UPDATE revision_counters SET last_revision = last_revision + ?", [.integer(revisionsSkipped)])
            try connection.insert(AuditEntry(author: author, action: .storeRestored))
        }
    }
}
