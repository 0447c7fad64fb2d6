import QuickActions
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

/// The state of a database for `longpress doctor`.
package struct StoreHealth: Sendable {
    package let migration: Int
    package let quarantined: Int
    /// Endpoints that were disabled by failures or a 410.
    package let disabledEndpoints: Int
    /// When the oldest pending delivery was created.
    package let oldestDelivery: Timestamp?
    /// The time of the newest audit entry.
    package let lastWrite: Timestamp?
    /// Milliseconds by which each node's clock is ahead of the database's.
    package let clockOffsets: [Int64]
    /// See `Store.expiringTokens`.
    package let expiringTokens: Int
}

extension StoreReader {
    /// - Parameter maxTokenAge: the longest life of a token.
    package func health(at now: Timestamp, maxTokenAge: Duration?) throws(Failure) -> StoreHealth {
        try database.read { connection throws(Failure) in
            func count(_ statement: String) throws(Failure) -> Int { try connection.first(statement, [], as: Int.self) ?? 0 }
            func time(_ statement: String) throws(Failure) -> Timestamp? {
                try connection.first(statement, [], as: Timestamp?.self) ?? nil
            }
            return StoreHealth(
                migration: try count("SELECT MAX(version) FROM schema_migrations"),
                quarantined: try count("SELECT COUNT(*) FROM schedule WHERE quarantined_at IS NOT NULL")
                    + count("SELECT COUNT(*) FROM deliveries WHERE quarantined_at IS NOT NULL"),
                disabledEndpoints: try count("SELECT COUNT(*) FROM endpoints WHERE disabled_reason IN ('gone', 'failing')"),
                oldestDelivery: try time("SELECT MIN(created_at) FROM deliveries WHERE state = 'pending'"),
                lastWrite: try time("SELECT MAX(at) FROM audit"),
                clockOffsets: try connection.rows("SELECT clock_offset_ms FROM nodes", [], as: Int64.self),
                expiringTokens: try connection.expiringTokens(at: now, maxAge: maxTokenAge))
        }
    }
}
