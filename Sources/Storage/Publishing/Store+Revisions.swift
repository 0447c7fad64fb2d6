import QuickActions
import SQL
import Shortcuts

extension Store {
    private static let listing = Listing(name: "revisions", start: [.integer(.max)])

    package func revisions(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Revision> {
        let key = try Self.listing.key(page)
        let revisions = try database.read { connection throws(Failure) in
            try connection.rows(
                """
                SELECT \(Revision.columns) FROM revisions
                WHERE app = ? AND number < ? ORDER BY number DESC LIMIT ?
                """, [SQLValue(app)] + key + [SQLValue(page.limit + 1)]
            ) { row throws(Failure) in
                let revision = try Revision(&row)
                return Listing.Entry(element: revision, key: [.integer(revision.number)])
            }
        }
        return Self.listing.page(revisions, limit: page.limit)
    }

    package func revision(_ number: Int64, of app: AppID) throws(Failure) -> Revision? {
        try database.read { connection throws(Failure) in
            try connection.first(
                """
                SELECT \(Revision.columns) FROM revisions
                WHERE app = ? AND number = ?
                """, [SQLValue(app), .integer(number)]
            ) { row throws(Failure) in try Revision(&row) }
        }
    }
}

extension SQLConnection {
    func insert(_ revision: Revision, of app: AppID) throws(Failure) {
        try execute(
            """
            INSERT INTO revisions (app, \(Revision.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(app), .integer(revision.number), .text(revision.kind.rawValue), SQLValue(revision.version),
                SQLValue(revision.audience), SQLValue(revision.publishedAt), .text(revision.by),
                revision.set.map { SQLValue(utf8: $0.canonicalJSON) } ?? .null,
            ])
    }
}

extension Revision {
    static let columns = "number, kind, version, audience, published_at, published_by, document"

    init(_ row: inout SQLRow) throws(Failure) {
        self.init(
            number: try row.integer(), kind: try row.parsed(Kind.init(rawValue:)),
            version: try row.parsed(AppVersion.init),
            audience: try row.parsed(Audience.init), publishedAt: try row.time(), by: try row.text(),
            set: try row.storedSet())
    }
}

extension SQLRow {
    fileprivate mutating func storedSet() throws(Failure) -> ShortcutSet? {
        guard let document = try optionalText() else { return nil }
        return try ShortcutSet(stored: Array(document.utf8))
    }
}
