import QuickActions
import Shortcuts

extension Store {
    private static let listing = Listing<AuditRow>(name: "audit", start: [.integer(.max), .integer(.max)]) {
        [SQLValue($0.entry.author.at), .integer($0.sequence)]
    }
    private static let oldestFirst = Listing<AuditRow>(name: "audit-after", start: [.integer(0)]) { [.integer($0.sequence)] }

    package func audit(_ page: PageRequest, matching filter: AuditFilter, within scope: Scope) throws(Failure) -> Page<AuditEntry> {
        func readOldest(_ key: [SQLValue], _ limit: Int) throws(Failure) -> [AuditRow?] {
            try database.read { connection throws(Failure) in
                let query = filter.queryOldestFirst(behind: key, within: scope, limit: limit)
                return try readable("audit", query.sql, query.values, as: AuditRow.self, on: connection)
            }
        }
        func read(_ key: [SQLValue], _ limit: Int) throws(Failure) -> [AuditRow?] {
            try database.read { connection throws(Failure) in
                let query = filter.query(behind: key, within: scope, limit: limit)
                let entries = try readable("audit", query.sql, query.values, as: AuditRow.self, on: connection)
                guard filter.app != nil, scope == .all, filter.action ?? .storeApplied == .storeApplied else { return entries }
                let ofApplies = filter.queryOfApplies(behind: key, limit: limit)
                let applies = try readable("audit", ofApplies.sql, ofApplies.values, as: AuditRow.self, on: connection)
                return Listing.merged([entries, applies], limit: limit, by: AuditRow.isNewer)
            }
        }
        let listing = filter.after == nil ? Self.listing : Self.oldestFirst
        return try listing.page(page, read: filter.after == nil ? read : readOldest) { row in
            filter.app.map(row.entry.concerns) ?? true
        }.map(\.entry)
    }
}

extension SQLConnection {
    /// The newest applies that changed the app, newest first.
    func applies(to app: AppID) throws(Failure) -> [AuditEntry] {
        let condition = "action = ? AND (app = ? OR app IS NULL) ORDER BY sequence DESC LIMIT 1000"
        return try rows(
            "SELECT \(AuditRow.columns) FROM audit WHERE \(condition)",
            [.text(AuditEntry.Action.storeApplied.rawValue), SQLValue(app)], as: AuditRow.self
        ).map(\.entry).filter { $0.concerns(app) }
    }

    /// The comments on a draft since it was last published, scheduled or deleted, oldest first.
    func reviewComments(on draft: Draft, of app: AppID) throws(Failure) -> [DraftReview.Note] {
        let ends: [AuditEntry.Action] = [.setPublished, .rolloutStarted, .draftScheduled, .draftDeleted]
        let actions = (ends + [.approvalRequested, .changesRequested]).map { SQLValue.text($0.rawValue) }
        let entries = try rows(
            """
            SELECT \(AuditRow.columns) FROM audit
            WHERE app = ? AND version = ? AND audience = ? AND action IN (\(placeholders(actions.count)))
            ORDER BY at DESC, sequence DESC LIMIT ?
            """,
            [SQLValue(app), SQLValue(AppBuild(draft.version)), SQLValue(draft.audience)] + actions + [SQLValue(DraftReview.maxComments)],
            as: AuditRow.self
        ).map(\.entry).prefix { !ends.contains($0.action) }
        return entries.reversed().filter { $0.detail.message != nil }.map { entry in
            DraftReview.Note(by: entry.author.token, owner: entry.author.person, at: entry.author.at, comment: entry.detail.message)
        }
    }

    /// The last deletion of the app.
    func deletion(of app: AppID) throws(Failure) -> Author? {
        try first(
            "SELECT \(AuditRow.columns) FROM audit WHERE action = ? AND app = ? ORDER BY sequence DESC LIMIT 1",
            [.text(AuditEntry.Action.appDeleted.rawValue), SQLValue(app)], as: AuditRow.self
        )?.entry.author
    }
}

extension AuditFilter {
    /// Newest first.
    func query(behind key: [SQLValue], within scope: Scope, limit: Int) -> SQLQuery {
        query(behind: key, scope.condition(on: "app"), limit: limit)
    }

    /// Entries of applies to several apps. They are not entries of one app.
    fileprivate func queryOfApplies(behind key: [SQLValue], limit: Int) -> SQLQuery {
        var applies = self
        (applies.app, applies.action) = (nil, .storeApplied)
        return applies.query(behind: key, ("app IS NULL", []), limit: limit)
    }

    private func query(behind key: [SQLValue], _ condition: SQLQuery, limit: Int) -> SQLQuery {
        let conditions = [("(at, sequence) < (?, ?)", key), condition] + conditions
        return (
            """
            SELECT \(AuditRow.columns)
            FROM audit WHERE \(conditions.map(\.sql).joined(separator: " AND ")) ORDER BY at DESC, sequence DESC LIMIT ?
            """, conditions.flatMap(\.values) + [SQLValue(limit)]
        )
    }

    /// Also reads applies to several apps, because their changes may concern the app.
    fileprivate func queryOldestFirst(behind key: [SQLValue], within scope: Scope, limit: Int) -> SQLQuery {
        var others = self
        others.app = nil
        let ofApp: SQLQuery? = app.map { app in
            scope == .all
                ? ("(app = ? OR (app IS NULL AND action = ?))", [SQLValue(app), .text(AuditEntry.Action.storeApplied.rawValue)])
                : ("app = ?", [SQLValue(app)])
        }
        let conditions =
            [("sequence > ? AND sequence > ?", key + [.integer(after ?? 0)]), scope.condition(on: "app")] + others.conditions
            + (ofApp.map { [$0] } ?? [])
        return (
            "SELECT \(AuditRow.columns) FROM audit WHERE \(conditions.map(\.sql).joined(separator: " AND ")) ORDER BY sequence LIMIT ?",
            conditions.flatMap(\.values) + [SQLValue(limit)]
        )
    }

    private var conditions: [SQLQuery] {
        [
            app.map { ("app = ?", [SQLValue($0)]) }, token.map { ("token = ?", [.text($0)]) },
            tokenID.map { ("token_id = ?", [SQLValue($0)]) },
            action.map { ("action = ?", [.text($0.rawValue)]) }, target.map { ("target_id = ?", [.text($0)]) },
            from.map { ("at >= ?", [SQLValue($0)]) }, to.map { ("at < ?", [SQLValue($0)]) },
        ].compactMap { $0 }
    }
}

/// An entry and its place in the log.
private struct AuditRow: RowReadable {
    static let columns = """
        sequence, token, token_id, owner, role, session, address, request, at, action, app, version, audience, revision, target_kind,
        target_id, target_name, detail
        """

    let sequence: Int64
    private(set) var entry: AuditEntry

    init(row: inout SQLRow) throws(Failure) {
        sequence = try row.read()
        entry = AuditEntry(
            author: try row.read(), action: try row.read(), app: try row.read(), version: try row.read(), audience: try row.read(),
            revision: try row.read(), target: try row.auditTarget(), detail: try row.read(AuditDetail?.self) ?? .none)
        entry.id = sequence
    }

    static func isNewer(_ one: AuditRow, _ other: AuditRow) -> Bool {
        (one.entry.author.at, one.sequence) > (other.entry.author.at, other.sequence)
    }
}

/// `token, token_id, owner, role, session, address, request, at`
extension Author: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            token: try row.read(), tokenID: try row.read(), owner: try row.read(), role: try row.read(String?.self).flatMap(Role.init),
            session: try row.read(), address: try row.read(), request: try row.read(), at: try row.read())
    }

    /// The columns `token_id, owner, role, session`.
    var identityValues: [SQLValue] { [SQLValue(tokenID), SQLValue(owner), SQLValue(role?.rawValue), SQLValue(session)] }
}

extension SQLRow {
    fileprivate mutating func auditTarget() throws(Failure) -> AuditTarget? {
        let (kind, id) = (try read(String?.self), try read(String?.self))
        let name = try read(String?.self)
        guard let kind, let id else { return nil }
        return AuditTarget(kind: AuditTarget.Kind(rawValue: kind), id: id, name: name)
    }
}

extension Transaction {
    /// Called exactly once per successful admin write, except for sign-ins in quick succession.
    mutating func log(_ entry: AuditEntry) throws(Failure) {
        effects.notices.append(.written(entry))
        try connection.insert(entry)
    }
}

extension SQLConnection {
    func insert(_ entry: AuditEntry) throws(Failure) {
        try enqueue(
            """
            INSERT INTO audit (at, token, action, app, version, audience, revision, address, request, target_kind, target_id, target_name,
                detail, token_id, owner, role, session)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(entry.author.at), .text(entry.author.token), .text(entry.action.rawValue), SQLValue(entry.app),
                SQLValue(entry.version), SQLValue(entry.audience), entry.revision.map { .integer($0) } ?? .null,
                .text(entry.author.address), .text(entry.author.request), SQLValue(entry.target?.kind.rawValue), SQLValue(entry.target?.id),
                SQLValue(entry.target?.name),
                entry.detail.isEmpty ? .null : SQLValue(utf8: entry.detail.json.encoded),
            ] + entry.author.identityValues)
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
