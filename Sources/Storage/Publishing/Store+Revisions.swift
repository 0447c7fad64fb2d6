import QuickActions
import Shortcuts

extension Store {
    private static let listing = Listing<Revision>(name: "revisions", start: [.integer(.max)]) { [.integer($0.number)] }

    package func revisions(
        of app: AppID, version: AppVersion?, audience: Audience?, _ page: PageRequest
    ) throws(Failure) -> Page<Revision> {
        let conditions = ["app = ?", version == nil ? nil : "version = ?", audience == nil ? nil : "audience = ?", "number < ?"]
            .compactMap { $0 }.joined(separator: " AND ")
        let values = [SQLValue(app)] + [version.map { SQLValue($0) }, audience.map { SQLValue($0) }].compactMap { $0 }
        return try Self.listing.page(page) { key, limit throws(Failure) in
            try database.read { connection throws(Failure) in
                try readable(
                    "revisions", "SELECT \(Revision.columns) FROM revisions WHERE \(conditions) ORDER BY number DESC LIMIT ?",
                    values + key + [SQLValue(limit)], as: Revision.self, on: connection)
            }
        }
    }

    package func revision(_ number: Int64, of app: AppID) throws(Failure) -> Revision? {
        try database.read { connection throws(Failure) in try connection.revision(number, of: app) }
    }
}

extension SQLConnection {
    func revision(_ number: Int64, of app: AppID) throws(Failure) -> Revision? {
        try first(
            "SELECT \(Revision.columns) FROM revisions WHERE app = ? AND number = ?", [SQLValue(app), .integer(number)],
            as: Revision.self)
    }

    func insert(_ revision: Revision, of app: AppID) throws(Failure) {
        try enqueue(
            """
            INSERT INTO revisions (app, \(Revision.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(app), .integer(revision.number), .text(revision.storedKind), SQLValue(revision.version),
                SQLValue(revision.audience), SQLValue(revision.publishedAt), .text(revision.by),
                SQLValue(revision.message), revision.set.map { SQLValue(utf8: $0.canonicalJSON) } ?? .null, SQLValue(revision.importedBy),
                SQLValue(revision.importedAt), SQLValue(revision.rollout),
            ])
    }
}

extension Revision: RowReadable {
    static let columns = "number, kind, version, audience, published_at, published_by, message, document, imported_by, imported_at, rollout"

    package init(row: inout SQLRow) throws(Failure) {
        let (number, stored) = (try row.read(Int64.self), try row.read(Kind.self))
        let (version, audience): (AppVersion, Audience) = (try row.read(), try row.read())
        let (publishedAt, by): (Timestamp, String) = (try row.read(), try row.read())
        let message: RevisionMessage? = try row.read()
        let set: ShortcutSet? = try row.read()
        let (importedBy, importedAt, rollout): (String?, Timestamp?, RolloutID?) = (try row.read(), try row.read(), try row.read())
        self.init(
            number: number, kind: rollout == nil ? stored : .candidate, version: version, audience: audience, publishedAt: publishedAt,
            by: by, set: set, message: message)
        (self.importedBy, self.importedAt, self.rollout) = (importedBy, importedAt, rollout)
    }

    /// A candidate is stored as `published`, because an older program knows no other kind.
    fileprivate var storedKind: String { (kind == .candidate ? Kind.published : kind).rawValue }
}
