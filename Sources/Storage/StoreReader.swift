import Shortcuts

/// What stands in a database that is only read: it is neither created nor migrated nor written.
package struct StoreReader: AppReader {
    private let path: String

    /// - Throws: where there is no file, or one that this program could not read as it is.
    package init(path: String) throws(OpeningRefusal) {
        guard let applied = try SQLiteDatabase.appliedMigrations(ofFileAt: path) else { throw .noDatabase(path) }
        try Migrator.admit(applied, of: path, knowing: Migration.all)
        guard Set(Migration.all.map(\.version)).isSubset(of: applied) else { throw .older(path) }
        self.path = path
    }

    package func snapshot(of app: AppID) throws(Failure) -> AppSnapshot? {
        try read { connection throws(Failure) in try connection.snapshot(of: app, recent: RecentSnapshots(), isCommitted: true) }
    }

    package func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) throws(Failure) -> Set<ItemID> {
        try read { connection throws(Failure) in try connection.known(ids, in: audience, of: app) }
    }

    package func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
        try read { connection throws(Failure) in try connection.draft(effectiveFor: version, audience, of: app) }
    }

    private func read<Result>(_ body: (SQLiteConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try translatingErrors { try SQLiteDatabase.readFile(path) { database in try body(SQLiteConnection(database)) } }
    }
}
