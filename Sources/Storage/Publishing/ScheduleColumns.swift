import QuickActions
import SQL
import Shortcuts

/// A schedule entry with its place among the entries of the same time.
struct ScheduleRow: RowReadable {
    let app: AppID
    let sequence: Int64
    let entry: ScheduleEntry

    /// Columns of `schedule s LEFT JOIN revisions r`.
    fileprivate static let columns = """
        s.app, s.sequence, s.id, s.version, s.audience, s.due_at, s.scheduled_by, s.scheduled_token_id, s.scheduled_owner,
        s.scheduled_role, s.scheduled_session, s.scheduled_from, s.scheduled_request, s.scheduled_at,
        s.expected_revision, s.follows, s.kind, s.tag, s.document, s.saved_at, s.saved_by, s.savers, s.approvals, s.override_reason,
        s.base, s.revision, r.document
        """

    /// - Parameter condition: on `schedule s`.
    static func query(where condition: String) -> String {
        """
        SELECT \(columns) FROM schedule s LEFT JOIN revisions r ON r.app = s.app AND r.number = s.revision WHERE \(condition)
        """
    }

    init(row: inout SQLRow) throws(Failure) {
        (app, sequence) = (try row.read(), try row.read())
        let id: ScheduleID = try row.read()
        let (version, audience, at): (AppVersion, Audience, Timestamp) = (try row.read(), try row.read(), try row.read())
        let author: Author = try row.read()
        let (expected, follows) = (try row.read(Int64?.self), try row.read(ScheduleID?.self))
        let kind: ScheduleEntry.Kind = try row.read()
        let (tag, prepared) = (try row.read(String?.self), try row.read(ShortcutSet?.self))
        let (savedAt, savedBy) = (try row.read(Timestamp?.self), try row.read(String?.self))
        let (savers, approvals) = (try row.savers(), try row.approvals())
        let (override, base) = (try row.read(OverrideReason?.self), try row.read(Int64?.self))
        let (revision, restored) = (try row.read(Int64?.self), try row.read(ShortcutSet?.self))
        let action: ScheduleEntry.Action
        switch kind {
        case .publish:
            guard let tag, let prepared, let savedAt, let savedBy else { throw .corrupt("The entry \(id) has no draft.") }
            var draft = Draft(
                version: version, audience: audience, set: prepared, tag: tag, savedAt: savedAt, savedBy: savedBy, savers: savers,
                approvals: approvals)
            draft.base = base
            action = .publish(draft, override: override)
        case .restore:
            let content = revision.flatMap { revision in restored.map { ScheduleEntry.Content(revision: revision, set: $0) } }
            guard content != nil || follows != nil else { throw .corrupt("The entry \(id) restores a revision without content.") }
            action = .restore(content)
        case .delete: action = .delete
        }
        entry = ScheduleEntry(
            id: id, version: version, audience: audience, at: at, action: action,
            wayBack: follows.map { .after($0) } ?? expected.map { .from(revision: $0) }, author: author)
    }
}

extension SQLConnection {
    /// - Parameter condition: on `schedule s`.
    func scheduleRows(where condition: String, _ values: [SQLValue]) throws(Failure) -> [ScheduleRow] {
        try rows(ScheduleRow.query(where: condition), values, as: ScheduleRow.self)
    }

    func scheduleEntry(_ id: ScheduleID, of app: AppID) throws(Failure) -> ScheduleEntry? {
        try scheduleRows(where: "s.app = ? AND s.id = ?", [SQLValue(app), SQLValue(id)]).first?.entry
    }

    /// Inserts the entry after all entries of the app with the same time.
    func insert(_ entry: ScheduleEntry, of app: AppID) throws(Failure) {
        var (draft, override): (Draft?, OverrideReason?)
        if case .publish(let prepared, let reason) = entry.action { (draft, override) = (prepared, reason) }
        var (expected, follows): (Int64?, ScheduleID?)
        switch entry.wayBack {
        case .after(let publish)?: follows = publish
        case .from(let revision)?: expected = revision
        case nil: break
        }
        try enqueue(
            """
            INSERT INTO schedule (app, id, audience, position, version, due_at, kind, tag, document, saved_at, saved_by, savers, approvals,
                override_reason, base, revision, expected_revision, follows, scheduled_at, scheduled_by, scheduled_from, scheduled_request,
                scheduled_token_id, scheduled_owner, scheduled_role, scheduled_session, sequence)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, COALESCE(MAX(sequence), 0) + 1 FROM schedule WHERE app = ?
            """,
            [
                SQLValue(app), SQLValue(entry.id), SQLValue(entry.audience), .text(entry.version.position), SQLValue(entry.version),
                SQLValue(entry.at), .text(entry.kind.rawValue), SQLValue(draft?.tag),
                draft.map { SQLValue(utf8: $0.set.canonicalJSON) } ?? .null, SQLValue(draft?.savedAt), SQLValue(draft?.savedBy),
                SQLValue(savers: draft?.savers ?? []), SQLValue(approvals: draft?.approvals ?? []), SQLValue(override),
                draft?.base.map { .integer($0) } ?? .null, entry.revision.map { .integer($0) } ?? .null,
                expected.map { .integer($0) } ?? .null, SQLValue(follows),
                SQLValue(entry.author.at), .text(entry.author.token), .text(entry.author.address), .text(entry.author.request),
            ] + entry.author.identityValues + [SQLValue(app)])
    }
}

extension ScheduleEntry {
    /// The time of the app's next entry that is not quarantined.
    static func nextQuery(_ app: AppID) -> SQLQuery {
        ("SELECT due_at FROM schedule WHERE app = ? AND quarantined_at IS NULL ORDER BY due_at LIMIT 1", [SQLValue(app)])
    }
}
