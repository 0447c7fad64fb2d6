import QuickActions
import SQL
import Shortcuts

/// The parts of the store that can be read from a database opened read-only.
package struct StoreReader: AppReader {
    let database: any SQLReader

    package init(_ database: any SQLReader) {
        self.database = database
    }

    package func snapshot(of app: AppID) throws(Failure) -> AppSnapshot? {
        try database.read { connection throws(Failure) in
            guard var stored = try connection.storedApp(app, SnapshotCache(budget: 0), isCommitted: true) else { return nil }
            return try stored.snapshot()
        }
    }

    package func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) throws(Failure) -> Set<ItemID> {
        try database.read { connection throws(Failure) in try connection.publishedIDs(among: ids, in: audience, of: app) }
    }

    package func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
        try database.read { connection throws(Failure) in try connection.draft(effectiveFor: version, audience, of: app) }
    }
}
