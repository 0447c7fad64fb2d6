import QuickActions
import Shortcuts

extension Store {
    private static let listing = Listing<ScheduleRow>(name: "schedule", start: [.integer(.min), .integer(.min)]) {
        [SQLValue($0.entry.at), .integer($0.sequence)]
    }

    package func schedule(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<ScheduleEntry> {
        try Self.listing.page(page) { key, limit throws(Failure) in
            try database.read { connection throws(Failure) in
                try readable(
                    "schedule",
                    ScheduleRow.query(where: "s.app = ? AND (s.due_at, s.sequence) > (?, ?) ORDER BY s.due_at, s.sequence LIMIT ?"),
                    [SQLValue(app)] + key + [SQLValue(limit)], as: ScheduleRow.self, on: connection)
            }
        }.map(\.entry)
    }

    package func scheduleEntry(_ id: ScheduleID, of app: AppID) throws(Failure) -> ScheduleEntry? {
        try database.read { connection throws(Failure) in try connection.scheduleEntry(id, of: app) }
    }

    package func scheduleDraft(
        _ change: DraftChange, at time: Timestamp, until: Timestamp?, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> ScheduleEntry {
        try write { transaction throws(Failure) in
            let draft = try transaction.requireCompleteDraft(change, of: app)
            guard let snapshot = try transaction.snapshot(of: app) else { throw .unknownApp(app) }
            let current = snapshot.current(change)
            try change.requireBase(current)
            try draft.set.requireTitles(in: snapshot.app.defaultLanguage)
            try change.writeCondition.matching(draft.tag).require(current)
            _ = try transaction.warnings(of: draft.set, change, of: app)
            let reason = try Consent.approvals(draft.consents, override: override).require(by: snapshot.app)
            let entry = ScheduleEntry(
                id: transaction.freshScheduleID, version: change.version, audience: change.audience, at: time,
                action: .publish(draft, override: reason), automaticRevert: nil, message: change.message, author: author)
            try transaction.schedule(entry, of: app)
            if let until {
                try transaction.schedule(entry.automaticRevert(at: until, id: transaction.freshScheduleID, from: current), of: app)
            }
            try transaction.delete(draft, of: app)
            if let reason { try transaction.announceOverride(reason, of: change.version, change.audience, of: app, by: author) }
            try transaction.log(
                change, .draftScheduled, of: app, by: author, target: .schedule(entry), AuditDetail(reason: reason, message: change.message)
            )
            return entry
        }
    }

    package func scheduleRestore(
        of revision: Int64, at time: Timestamp, expecting writeCondition: WriteCondition, message: RevisionMessage?, of app: AppID,
        by author: Author
    ) throws(Failure) -> ScheduleEntry {
        try write { transaction throws(Failure) in
            guard let snapshot = try transaction.snapshot(of: app) else { throw .unknownApp(app) }
            guard let restored = try transaction.connection.revision(revision, of: app) else {
                throw .unknownRevision("\(revision)", of: app)
            }
            let set = try restored.requireSet()
            try set.requireTitles(in: snapshot.app.defaultLanguage)
            try writeCondition.require(snapshot.ownTimeline(of: restored.audience).set(startingAt: restored.version))
            let change = DraftChange(version: restored.version, audience: restored.audience, writeCondition: writeCondition)
            _ = try transaction.warnings(of: set, change, of: app)
            let entry = ScheduleEntry(
                id: transaction.freshScheduleID, version: restored.version, audience: restored.audience, at: time,
                action: .restore(ScheduleEntry.Content(revision: revision, set: set)), automaticRevert: nil,
                message: message, author: author)
            try transaction.schedule(entry, of: app)
            try transaction.log(entry, .restoreScheduled, of: app, by: author, AuditDetail(message: message))
            return entry
        }
    }

    package func cancel(_ id: ScheduleID, of app: AppID, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            var entry: ScheduleEntry?
            do throws(Failure) {
                entry = try transaction.connection.scheduleEntry(id, of: app)
                guard entry != nil else { throw .unknownScheduleEntry(id, of: app) }
            } catch {
                // An entry that cannot be read can still be cancelled.
                guard error.code == .internalError else { throw error }
            }
            try transaction.remove(id, of: app)
            try transaction.removeReverts(after: id, of: app)
            guard let entry else { return try transaction.log(AuditEntry(author: author, action: .scheduleCancelled, app: app)) }
            try transaction.log(entry, .scheduleCancelled, of: app, by: author)
        }
    }
}

extension Transaction {
    var freshScheduleID: ScheduleID { ScheduleID("sch_\(identifiers())") }

    /// Adds an entry and announces it.
    mutating func schedule(_ entry: ScheduleEntry, of app: AppID) throws(Failure) {
        let use = try connection.preparedUse(of: app)
        var after = use
        after.scheduled += 1
        try quota.require(after, after: use, of: app)
        try connection.insert(entry, of: app)
        try renewStamp(of: app, telling: .schedule)
        effects.hasScheduled = true
        try announce(announcer.scheduled(entry, of: app))
    }

    /// Schedules the automatic revert of a publish that was just made.
    mutating func scheduleRevert(of publication: Publication, at time: Timestamp, of app: AppID, by author: Author) throws(Failure) {
        let revision = publication.revision
        try schedule(
            ScheduleEntry(
                id: freshScheduleID, version: revision.version, audience: revision.audience, at: time,
                action: publication.previous.map { .restore(ScheduleEntry.Content(revision: $0.revision, set: $0.set)) } ?? .delete,
                automaticRevert: .from(revision: revision.number), author: author), of: app)
    }

    mutating func remove(_ entry: ScheduleID, of app: AppID) throws(Failure) {
        try connection.enqueue("DELETE FROM schedule WHERE app = ? AND id = ?", [SQLValue(app), SQLValue(entry)])
        try renewStamp(of: app, telling: .schedule)
    }

    /// Removes the automatic revert of a publish that will not happen.
    mutating func removeReverts(after entry: ScheduleID, of app: AppID) throws(Failure) {
        try connection.enqueue("DELETE FROM schedule WHERE app = ? AND follows = ?", [SQLValue(app), SQLValue(entry)])
        try renewStamp(of: app, telling: .schedule)
    }

    mutating func announceOverride(
        _ reason: OverrideReason, of version: AppVersion, _ audience: Audience, revision: Int64? = nil, of app: AppID,
        by author: Author
    ) throws(Failure) {
        try announce(announcer.override(reason, of: (version, audience), revision: revision, of: app, by: author))
    }

    fileprivate mutating func log(
        _ entry: ScheduleEntry, _ action: AuditEntry.Action, of app: AppID, by author: Author, _ detail: AuditDetail = .none
    ) throws(Failure) {
        try log(
            AuditEntry(
                author: author, action: action, app: app, version: AppBuild(entry.version), audience: entry.audience,
                revision: entry.revision, target: .schedule(entry), detail: detail))
    }
}

extension ScheduleEntry {
    /// The automatic revert of this publish, which is still scheduled.
    /// - Parameter current: the current set. When the publish runs, the set that is current then is used instead.
    fileprivate func automaticRevert(at time: Timestamp, id: ScheduleID, from current: PublishedSet?) -> ScheduleEntry {
        ScheduleEntry(
            id: id, version: version, audience: audience, at: time, action: current == nil ? .delete : .restore(nil),
            automaticRevert: .after(self.id), author: author)
    }
}

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
        s.base, s.applied, s.message, s.rollout, s.threshold, s.revision, r.document
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
        let (editorIDs, approvals) = (try row.editorIDs(), try row.approvals())
        let (override, base) = (try row.read(OverrideReason?.self), try row.read(Int64?.self))
        let applied: ShortcutSet? = try row.read()
        let message: RevisionMessage? = try row.read()
        let (rollout, threshold) = (try row.read(RolloutID?.self), try row.read(Int?.self))
        let (revision, restored) = (try row.read(Int64?.self), try row.read(ShortcutSet?.self))
        let content = revision.flatMap { revision in restored.map { ScheduleEntry.Content(revision: revision, set: $0) } }
        let action: ScheduleEntry.Action
        switch kind {
        case .publish:
            guard let tag, let prepared, let savedAt, let savedBy else { throw .corrupt("The entry \(id) has no draft.") }
            var draft = Draft(
                version: version, audience: audience, set: prepared, tag: tag, savedAt: savedAt, savedBy: savedBy, editorIDs: editorIDs,
                approvals: approvals)
            (draft.base, draft.applied) = (base, applied)
            action = .publish(draft, override: override)
        case .restore:
            guard content != nil || follows != nil else { throw .corrupt("The entry \(id) restores a revision without content.") }
            action = .restore(content)
        case .delete: action = .delete
        case .share, .promote, .stop:
            guard let rollout, let step = RolloutStep(kind, threshold.flatMap { RolloutShare(threshold: $0) }, content) else {
                throw .corrupt("The entry \(id) has no roll-out, no share or no content.")
            }
            action = .rollout(rollout, step)
        }
        entry = ScheduleEntry(
            id: id, version: version, audience: audience, at: at, action: action,
            automaticRevert: follows.map { .after($0) } ?? expected.map { .from(revision: $0) }, message: message, author: author)
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
        var (rollout, share): (RolloutID?, RolloutShare?)
        if case .rollout(let id, let step) = entry.action { (rollout, share) = (id, step.share) }
        var (expected, follows): (Int64?, ScheduleID?)
        switch entry.automaticRevert {
        case .after(let publish)?: follows = publish
        case .from(let revision)?: expected = revision
        case nil: break
        }
        try enqueue(
            """
            INSERT INTO schedule (app, id, audience, position, version, due_at, kind, tag, document, saved_at, saved_by, savers, approvals,
                override_reason, base, revision, expected_revision, follows, scheduled_at, scheduled_by, scheduled_from, scheduled_request,
                scheduled_token_id, scheduled_owner, scheduled_role, scheduled_session, applied, message, rollout, threshold, sequence)
            SELECT \(placeholders(30)), COALESCE(MAX(sequence), 0) + 1 FROM schedule WHERE app = ?
            """,
            [
                SQLValue(app), SQLValue(entry.id), SQLValue(entry.audience), .text(entry.version.position), SQLValue(entry.version),
                SQLValue(entry.at), .text(entry.kind.rawValue), SQLValue(draft?.tag),
                draft.map { SQLValue(utf8: $0.set.canonicalJSON) } ?? .null, SQLValue(draft?.savedAt), SQLValue(draft?.savedBy),
                SQLValue(editorIDs: draft?.editorIDs ?? []), SQLValue(approvals: draft?.approvals ?? []), SQLValue(override),
                draft?.base.map { .integer($0) } ?? .null, entry.revision.map { .integer($0) } ?? .null,
                expected.map { .integer($0) } ?? .null, SQLValue(follows),
                SQLValue(entry.author.at), .text(entry.author.token), .text(entry.author.address), .text(entry.author.request),
            ] + entry.author.identityValues + [
                draft?.applied.map { SQLValue(utf8: $0.canonicalJSON) } ?? .null, SQLValue(entry.message), SQLValue(rollout),
                share.map { SQLValue($0.threshold) } ?? .null, SQLValue(app),
            ])
    }
}

extension ScheduleEntry {
    /// The time of the app's next entry that is not quarantined.
    static func nextQuery(_ app: AppID) -> SQLQuery {
        ("SELECT due_at FROM schedule WHERE app = ? AND quarantined_at IS NULL ORDER BY due_at LIMIT 1", [SQLValue(app)])
    }
}
