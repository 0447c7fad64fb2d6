import QuickActions
import SQL
import Shortcuts

extension Store: AuditStore {
    private static let listing = Listing(name: "audit", start: [.integer(.max)])

    package func audit(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<AuditEntry> {
        let key = try Self.listing.key(page)
        let (condition, values) = scope.condition(on: "app")
        let entries = try database.read { connection throws(Failure) in
            try connection.rows(
                """
                SELECT sequence, at, token, action, app, version, audience, revision, address, request FROM audit
                WHERE sequence < ? AND \(condition) ORDER BY sequence DESC LIMIT ?
                """, key + values + [SQLValue(page.limit + 1)]
            ) { row throws(Failure) in
                Listing.Entry(sequence: try row.integer(), element: try AuditEntry(&row))
            }
        }
        return Self.listing.page(entries, limit: page.limit)
    }
}

extension Transaction {
    /// Exactly one a successful write.
    mutating func log(_ entry: AuditEntry) throws(Failure) {
        effects.notices.append(.written(entry))
        try connection.insert(entry)
    }
}

extension SQLConnection {
    func insert(_ entry: AuditEntry) throws(Failure) {
        try execute(
            """
            INSERT INTO audit (at, token, action, app, version, audience, revision, address, request)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(entry.author.at), .text(entry.author.token), .text(entry.action.rawValue), SQLValue(entry.app),
                SQLValue(entry.version), SQLValue(entry.audience), entry.revision.map { .integer($0) } ?? .null,
                .text(entry.author.address), .text(entry.author.request),
            ])
    }
}

extension AuditEntry {
    /// The columns at, token, action, app, version, audience, revision, address, request.
    fileprivate init(_ row: inout SQLRow) throws(Failure) {
        let (at, token) = (try row.time(), try row.text())
        let action = try row.parsed(Action.init(rawValue:))
        let app = try row.optionallyParsed(AppID.init)
        let version = try row.optionallyParsed { AppBuild($0) }
        let audience = try row.optionallyParsed(Audience.init)
        let revision = try row.optionalInteger()
        self.init(
            author: Author(token: token, address: try row.text(), request: try row.text(), at: at), action: action,
            app: app, version: version, audience: audience, revision: revision)
    }
}

extension Listing.Entry {
    fileprivate init(sequence: Int64, element: Element) {
        self.init(element: element, key: [.integer(sequence)])
    }
}
