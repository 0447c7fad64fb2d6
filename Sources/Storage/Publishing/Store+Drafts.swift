import QuickActions
import SQL
import Shortcuts

extension Store: DraftStore {
    private static let listing = Listing<Draft>(name: "drafts", start: [.text(""), .text("")]) {
        [SQLValue($0.audience), .text($0.version.position)]
    }

    package func drafts(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Draft> {
        try Self.listing.page(page) { key, limit throws(Failure) in
            try database.read { connection throws(Failure) in
                try connection.drafts(
                    where: "app = ? AND (audience, position) > (?, ?) ORDER BY audience, position LIMIT ?",
                    [SQLValue(app)] + key + [SQLValue(limit)])
            }
        }
    }

    package func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
        try database.read { connection throws(Failure) in try connection.draft(version, audience, of: app) }
    }

    package func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
        try database.read { connection throws(Failure) in try connection.draft(effectiveFor: version, audience, of: app) }
    }

    package func saveDraft(
        _ set: ShortcutSet, _ change: DraftChange, maySchedule: Bool, of app: AppID, by author: Author
    ) throws(Failure) -> DraftReceipt {
        try write { transaction throws(Failure) in
            let former = try transaction.connection.draft(change.version, change.audience, of: app)
            if let time = former?.schedule?.at, !maySchedule {
                throw Failure(
                    .forbidden,
                    "The draft is to be published at \(time.shortText), which takes a publisher to change. Ask one, or DELETE the "
                        + "draft, which cancels that, and save it anew.")
            }
            // An invalid document is reported before a failed precondition (412), a reused id (409) after it.
            guard let snapshot = try transaction.snapshot(of: app) else { throw .unknownApp(app) }
            try set.requireTitles(in: snapshot.app.defaultLanguage)
            try change.requireWriteCondition(former)
            let warnings = try transaction.warnings(of: set, change, of: app)
            if let former, former.set.hasSameDocument(as: set) {
                return DraftReceipt(draft: former, warnings: warnings, isNew: false)
            }
            let draft = Draft(
                version: change.version, audience: change.audience, set: set, tag: transaction.freshDraftTag,
                savedAt: author.at, savedBy: author.token, schedule: former?.schedule)
            try transaction.connection.put(draft, of: app)
            try transaction.log(change, .draftSaved, of: app, by: author)
            return DraftReceipt(draft: draft, warnings: warnings, isNew: former == nil)
        }
    }

    package func deleteDraft(_ change: DraftChange, of app: AppID, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            let draft = try transaction.requireDraft(change, of: app)
            try change.requireWriteCondition(draft)
            try transaction.delete(draft, of: app)
            try transaction.log(change, .draftDeleted, of: app, by: author)
        }
    }

    package func publishDraft(
        _ change: DraftChange, of app: AppID, by author: Author
    ) throws(Failure) -> PublishReceipt {
        try write { transaction throws(Failure) in
            let draft = try transaction.requireDraft(change, of: app)
            let publish = SetChange(
                version: change.version, audience: change.audience, action: .publish(draft.set),
                writeCondition: change.writeCondition.matching(draft.tag))
            let receipt = try transaction.publish(publish, of: app, by: author)
            try transaction.delete(draft, of: app)
            if !receipt.isChange { try transaction.log(change, .draftDeleted, of: app, by: author) }
            return receipt
        }
    }

    package func scheduleDraft(
        _ change: DraftChange, at time: Timestamp, of app: AppID, by author: Author
    ) throws(Failure) -> [Warning] {
        try write { transaction throws(Failure) in
            let draft = try transaction.requireDraft(change, of: app)
            let standing = try transaction.snapshot(of: app)?.timelines[change.audience]?.set(startingAt: change.version)
            try change.writeCondition.matching(draft.tag).require(standing)
            let warnings = try transaction.warnings(of: draft.set, change, of: app)
            guard draft.schedule?.at != time else { return warnings }
            let schedule = Draft.Schedule(at: time, by: author.token)
            try transaction.connection.schedule(draft, at: time, of: app, by: author)
            try transaction.renewStamp(of: app, telling: .schedule)
            transaction.effects.hasScheduled = true
            try transaction.announce(transaction.announcer.scheduled(draft, schedule, of: app, at: author.at))
            try transaction.log(change, .draftScheduled, of: app, by: author)
            return warnings
        }
    }
}

extension Transaction {
    /// The entity tag of a draft until it is saved again.
    var freshDraftTag: String { "draft-\(identifiers())" }

    fileprivate func requireDraft(_ change: DraftChange, of app: AppID) throws(Failure) -> Draft {
        guard let draft = try connection.draft(change.version, change.audience, of: app) else {
            let below = try connection.draft(effectiveFor: change.version, change.audience, of: app)
            throw .unknownDraft(change.version, change.audience, below: below?.version)
        }
        return draft
    }

    fileprivate func warnings(of set: ShortcutSet, _ change: DraftChange, of app: AppID) throws(Failure) -> [Warning] {
        guard let snapshot = try snapshot(of: app) else { throw .unknownApp(app) }
        return try change.warnings(of: set, in: snapshot) { ids throws(Failure) in
            try connection.publishedIDs(among: ids, in: change.audience, of: app)
        }
    }

    mutating func delete(_ draft: Draft, of app: AppID) throws(Failure) {
        try connection.enqueue(
            "DELETE FROM drafts WHERE app = ? AND audience = ? AND position = ?",
            [SQLValue(app), SQLValue(draft.audience), .text(draft.version.position)])
        if draft.schedule != nil { try renewStamp(of: app, telling: .schedule) }
    }

    fileprivate mutating func log(
        _ change: DraftChange, _ action: AuditEntry.Action, of app: AppID, by author: Author
    ) throws(Failure) {
        try log(
            AuditEntry(
                author: author, action: action, app: app, version: AppBuild(change.version), audience: change.audience))
    }
}

extension SQLConnection {
    fileprivate func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
        try drafts(
            where: "app = ? AND audience = ? AND position = ?",
            [SQLValue(app), SQLValue(audience), .text(version.position)]
        ).first
    }

    func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
        try drafts(
            where: "app = ? AND audience = ? AND position <= ? ORDER BY position DESC LIMIT 1",
            [SQLValue(app), SQLValue(audience), .text(version.position)]
        ).first
    }

    func drafts(where condition: String, _ values: [SQLValue]) throws(Failure) -> [Draft] {
        try rows("SELECT \(Draft.columns) FROM drafts WHERE \(condition)", values, as: Draft.self)
    }

    /// Creates or replaces the draft; its schedule is kept.
    func put(_ draft: Draft, of app: AppID) throws(Failure) {
        try enqueue(
            """
            INSERT INTO drafts (app, audience, position, version, tag, document, saved_at, saved_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, audience, position) DO UPDATE SET tag = excluded.tag, document = excluded.document,
                saved_at = excluded.saved_at, saved_by = excluded.saved_by
            """,
            [
                SQLValue(app), SQLValue(draft.audience), .text(draft.version.position), SQLValue(draft.version),
                .text(draft.tag), SQLValue(utf8: draft.set.canonicalJSON), SQLValue(draft.savedAt), .text(draft.savedBy),
            ])
    }
}

extension Draft: RowReadable {
    static let columns = "version, audience, document, tag, saved_at, saved_by, publish_at, scheduled_by"

    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            version: try row.read(), audience: try row.read(), set: try row.read(), tag: try row.read(), savedAt: try row.read(),
            savedBy: try row.read(), schedule: nil)
        let (at, by) = (try row.read(Timestamp?.self), try row.read(String?.self))
        if let at { schedule = Schedule(at: at, by: by ?? savedBy) }
    }
}
