import QuickActions
import SQL
import Shortcuts

extension Store: AuditStore {
    private static let listing = Listing<AuditRow>(name: "audit", start: [.integer(.max)]) { [.integer($0.sequence)] }

    package func audit(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<AuditEntry> {
        let (condition, values) = scope.condition(on: "app")
        return try Self.listing.page(page) { key, limit throws(Failure) in
            try database.read { connection throws(Failure) in
                try connection.rows(
                    """
                    SELECT sequence, token, address, request, at, action, app, version, audience, revision, detail FROM audit
                    WHERE sequence < ? AND \(condition) ORDER BY sequence DESC LIMIT ?
                    """, key + values + [SQLValue(limit)], as: AuditRow.self)
            }
        }.map(\.entry)
    }
}

/// An entry and its place in the log.
private struct AuditRow: RowReadable {
    let sequence: Int64
    let entry: AuditEntry

    init(row: inout SQLRow) throws(Failure) {
        sequence = try row.read()
        let author = Author(token: try row.read(), address: try row.read(), request: try row.read(), at: try row.read())
        entry = AuditEntry(
            author: author, action: try row.read(), app: try row.read(), version: try row.read(), audience: try row.read(),
            revision: try row.read(), detail: try row.read(AuditDetail?.self) ?? .none)
    }
}

extension Transaction {
    /// Called exactly once per successful admin write.
    mutating func log(_ entry: AuditEntry) throws(Failure) {
        effects.notices.append(.written(entry))
        try connection.insert(entry)
    }
}

extension SQLConnection {
    func insert(_ entry: AuditEntry) throws(Failure) {
        try enqueue(
            """
            INSERT INTO audit (at, token, action, app, version, audience, revision, address, request, detail)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(entry.author.at), .text(entry.author.token), .text(entry.action.rawValue), SQLValue(entry.app),
                SQLValue(entry.version), SQLValue(entry.audience), entry.revision.map { .integer($0) } ?? .null,
                .text(entry.author.address), .text(entry.author.request),
                entry.detail.isEmpty ? .null : SQLValue(utf8: entry.detail.json.encoded),
            ])
    }
}

/// The JSON of the column `detail`.
extension AuditDetail: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        let text = try row.text()
        guard let json = try? JSON(document: Array(text.utf8)) else { throw .corrupt("\(quoted(text)) is not a JSON document.") }
        self.init(stored: json)
    }
}
