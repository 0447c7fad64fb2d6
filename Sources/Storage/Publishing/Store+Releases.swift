import QuickActions
import Shortcuts

extension Store {
    private static let listing = Listing<Release>(name: "releases", start: [.text("")]) { [.text($0.id.position)] }

    package func releases(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Release> {
        try Self.listing.page(page) { key, limit throws(Failure) in
            try database.read { connection throws(Failure) in
                try readable(
                    "releases", "SELECT document FROM releases WHERE app = ? AND position > ? ORDER BY position LIMIT ?",
                    [SQLValue(app)] + key + [SQLValue(limit)], as: Release.self, on: connection)
            }
        }
    }

    package func release(_ id: AppBuild, of app: AppID) throws(Failure) -> Release? {
        try database.read { connection throws(Failure) in try connection.release(id, of: app) }
    }

    package func putRelease(
        _ release: Release, keepsAssets: Bool, of app: AppID, by author: Author, expecting writeCondition: WriteCondition = .none
    ) throws(Failure) -> ReleaseReceipt {
        try write { transaction throws(Failure) in
            guard var stored = try transaction.connection.storedApp(app, transaction.snapshots, isCommitted: false) else {
                throw .unknownApp(app)
            }
            let snapshot = try stored.snapshot()
            let previous = try transaction.connection.release(exactly: release.id, of: app)
            try writeCondition.require(previous)
            let release = keepsAssets ? release.keepingAssets(of: previous) : release
            let effect = ReleaseEffect(of: release.id, in: snapshot, leaving: snapshot.releases.replacing([release]))
            guard release.canonicalJSON != previous?.canonicalJSON else {
                return ReleaseReceipt(release: release, isNew: false, effect: effect)
            }
            var use = stored.use
            use.releases += previous == nil ? 1 : 0
            use.bytes += release.estimatedSize - (previous?.estimatedSize ?? 0)
            try transaction.quota.require(use, after: stored.use, of: app)
            try transaction.put(release, of: app)
            try transaction.announce(transaction.announcer.releaseImported(release.id, effect, of: app, by: author))
            try transaction.log(
                AuditEntry(author: author, action: .releaseImported, app: app, version: release.id))
            return ReleaseReceipt(release: release, isNew: previous == nil, effect: effect)
        }
    }

    @discardableResult
    package func deleteRelease(
        _ id: AppBuild, of app: AppID, by author: Author, expecting writeCondition: WriteCondition = .none
    ) throws(Failure) -> ReleaseEffect {
        try write { transaction throws(Failure) in
            guard let snapshot = try transaction.snapshot(of: app) else { throw .unknownApp(app) }
            guard let release = try transaction.connection.release(id, of: app) else {
                throw .unknownRelease(id, of: app)
            }
            try writeCondition.require(release)
            try transaction.connection.enqueue(
                "DELETE FROM releases WHERE app = ? AND position = ?", [SQLValue(app), .text(release.id.position)])
            try transaction.renewStamp(of: app)
            let effect = ReleaseEffect(of: release.id, in: snapshot, leaving: snapshot.releases.filter { $0.id != release.id })
            try transaction.announce(transaction.announcer.releaseDeleted(release.id, effect, of: app, by: author))
            try transaction.log(AuditEntry(author: author, action: .releaseDeleted, app: app, version: release.id))
            return effect
        }
    }
}

extension Transaction {
    mutating func put(_ release: Release, of app: AppID) throws(Failure) {
        try connection.enqueue(
            """
            INSERT INTO releases (app, position, version, document) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, position) DO UPDATE SET document = excluded.document
            """,
            [
                SQLValue(app), .text(release.id.position), SQLValue(release.id.version),
                SQLValue(utf8: release.canonicalJSON),
            ])
        try renewStamp(of: app)
    }
}

extension SQLConnection {
    /// An id without a build finds the version's last release.
    fileprivate func release(_ id: AppBuild, of app: AppID) throws(Failure) -> Release? {
        guard id.build == nil else { return try release(exactly: id, of: app) }
        return try first(
            "SELECT document FROM releases WHERE app = ? AND version = ? ORDER BY position DESC LIMIT 1",
            [SQLValue(app), SQLValue(id.version)], as: Release.self)
    }

    fileprivate func release(exactly id: AppBuild, of app: AppID) throws(Failure) -> Release? {
        try first(
            "SELECT document FROM releases WHERE app = ? AND position = ?", [SQLValue(app), .text(id.position)], as: Release.self)
    }

    func releases(of app: AppID) throws(Failure) -> [Release] {
        let (sql, values) = Release.query(app)
        return try rows(sql, values, as: Release.self)
    }
}

/// A release's canonical document.
extension Release: RowReadable {
    /// The releases of an app in the order of their versions.
    static func query(_ app: AppID) -> SQLQuery { ("SELECT document FROM releases WHERE app = ? ORDER BY position", [SQLValue(app)]) }

    package init(row: inout SQLRow) throws(Failure) {
        try self.init(stored: Array(try row.text().utf8))
    }
}
