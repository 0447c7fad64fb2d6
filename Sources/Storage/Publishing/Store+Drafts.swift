import QuickActions
import Shortcuts

extension Store {
    private static let listing = Listing<Draft>(name: "drafts", start: [.text(""), .text("")]) {
        [SQLValue($0.audience), .text($0.version.position)]
    }

    package func drafts(of app: AppID, _ page: PageRequest) throws(Failure) -> Page<Draft> {
        try Self.listing.page(page) { key, limit throws(Failure) in
            try database.read { connection throws(Failure) in
                try readable(
                    "drafts",
                    "SELECT \(Draft.columns) FROM drafts WHERE app = ? AND (audience, position) > (?, ?) ORDER BY audience, position LIMIT ?",
                    [SQLValue(app)] + key + [SQLValue(limit)], as: Draft.self, on: connection)
            }
        }
    }

    package func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
        try database.read { connection throws(Failure) in try connection.draft(version, audience, of: app) }
    }

    package func draft(effectiveFor version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
        try database.read { connection throws(Failure) in try connection.draft(effectiveFor: version, audience, of: app) }
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
        _ change: DraftChange, _ options: PublishOptions, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> PublishReceipt {
        func publish(of draft: Draft) -> SetChange {
            SetChange(
                version: change.version, audience: change.audience,
                action: options.rollout.map { .rollOut(draft.set, $0) } ?? .publish(draft.set),
                writeCondition: change.writeCondition.matching(draft.tag),
                consent: .approvals(draft.consents, override: override), until: options.until, message: change.message,
                stopsCandidate: change.stopsCandidate)
        }
        let known = try? draft(change.version, change.audience, of: app)
        let expected = known.flatMap { $0.incomplete == nil ? expectedMenu(of: publish(of: $0), in: app) : nil }
        return try writeMenu(expected) { transaction throws(Failure) in
            let draft = try transaction.requireCompleteDraft(change, of: app)
            if change.base != nil { try change.requireBase(try transaction.snapshot(of: app)?.current(change)) }
            let publishing = publish(of: draft)
            let receipt = try transaction.publish(publishing, of: app, by: author)
            try transaction.delete(draft, of: app)
            try transaction.recordApplied(draft, of: app)
            if !receipt.isChange {
                _ = try publishing.consent.require(by: try transaction.requireApp(app))
                try transaction.log(change, .draftDeleted, of: app, by: author)
            }
            return receipt
        }
    }
}

extension Transaction {
    /// A new entity tag for a draft.
    var freshDraftTag: String { "draft-\(identifiers())" }

    /// Creates or replaces a draft. A change removes the draft's approvals. Saving the same content changes nothing.
    /// - Parameter mayBeIncomplete: whether a draft is saved that cannot be published.
    mutating func saveDraft(
        _ content: DraftContent, mayBeIncomplete: Bool, _ change: DraftChange, of app: AppID, by author: Author
    ) throws(Failure) -> DraftReceipt {
        let previous = try connection.draft(change.version, change.audience, of: app)
        // An invalid document is reported before a failed precondition (412), and a reused id (409) after it.
        guard let snapshot = try snapshot(of: app) else { throw .unknownApp(app) }
        try content.set.requireTitles(in: snapshot.app.defaultLanguage)
        try change.requireWriteCondition(previous)
        let (warnings, reused) = try findings(of: content.set, change, of: app, mayBeIncomplete: mayBeIncomplete)
        let violations = content.violations + reused
        if let previous, previous.hasSameDocument(as: content) {
            return DraftReceipt(
                draft: try rebased(previous, change, of: app), violations: violations, warnings: warnings, isNew: false)
        }
        var draft = Draft(content, change, tag: freshDraftTag, replacing: previous, by: author)
        if previous == nil, draft.base == nil { draft.base = snapshot.current(change)?.revision ?? 0 }
        let use = try connection.preparedUse(of: app)
        try quota.require(use.saving(draft, replacing: previous), after: use, of: app)
        try connection.put(draft, of: app)
        try log(change, .draftSaved, of: app, by: author)
        return DraftReceipt(draft: draft, violations: violations, warnings: warnings, isNew: previous == nil)
    }

    /// The warnings that a publish would give, and the ids that prevent it.
    private func findings(
        of set: ShortcutSet, _ change: DraftChange, of app: AppID, mayBeIncomplete: Bool
    ) throws(Failure) -> ([Warning], reused: [Violation]) {
        do throws(Failure) {
            return (try warnings(of: set, change, of: app), [])
        } catch {
            guard mayBeIncomplete, error.code == .idReused else { throw error }
            return ([], error.violations)
        }
    }

    /// The same document, based on the revision that its editor names. The draft keeps its tag and its approvals.
    private func rebased(_ draft: Draft, _ change: DraftChange, of app: AppID) throws(Failure) -> Draft {
        guard let base = change.base, base != draft.base else { return draft }
        var draft = draft
        draft.base = base
        try connection.put(draft, of: app)
        return draft
    }

    func requireDraft(_ change: DraftChange, of app: AppID) throws(Failure) -> Draft {
        guard let draft = try connection.draft(change.version, change.audience, of: app) else {
            let below = try connection.draft(effectiveFor: change.version, change.audience, of: app)
            throw .unknownDraft(change.version, change.audience, below: below?.version)
        }
        return draft
    }

    /// - Throws: `invalidDocument` with what prevents a publish of the draft.
    func requireCompleteDraft(_ change: DraftChange, of app: AppID) throws(Failure) -> Draft {
        let draft = try requireDraft(change, of: app)
        return draft.incomplete == nil ? draft : try draft.completed(in: try requireApp(app).defaultLanguage)
    }

    func requireApp(_ id: AppID) throws(Failure) -> App {
        guard let app = try connection.app(id) else { throw .unknownApp(id) }
        return app
    }

    func warnings(of set: ShortcutSet, _ change: DraftChange, of app: AppID) throws(Failure) -> [Warning] {
        guard let snapshot = try snapshot(of: app) else { throw .unknownApp(app) }
        return try change.warnings(of: set, in: snapshot) { ids throws(Failure) in
            try connection.publishedIDs(among: ids, in: change.audience, of: app)
        }
    }

    /// After a publish: what an apply saved as the draft counts as sent by git.
    func recordApplied(_ draft: Draft, of app: AppID) throws(Failure) {
        if let applied = draft.applied {
            try connection.record(applied, as: SetName(version: draft.version, audience: draft.audience), of: app)
        }
    }

    func delete(_ draft: Draft, of app: AppID) throws(Failure) {
        try connection.enqueue(
            "DELETE FROM drafts WHERE app = ? AND audience = ? AND position = ?",
            [SQLValue(app), SQLValue(draft.audience), .text(draft.version.position)])
    }

    mutating func log(
        _ change: DraftChange, _ action: AuditEntry.Action, of app: AppID, by author: Author, target: AuditTarget? = nil,
        _ detail: AuditDetail = .none
    ) throws(Failure) {
        try log(
            AuditEntry(
                author: author, action: action, app: app, version: AppBuild(change.version), audience: change.audience, target: target,
                detail: detail))
    }
}

extension AppSnapshot {
    /// The published set that the draft would replace.
    func current(_ change: DraftChange) -> PublishedSet? {
        ownTimeline(of: change.audience).set(startingAt: change.version)
    }
}

extension SQLConnection {
    func draft(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> Draft? {
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

    /// The quota that an app's drafts and schedule use.
    func preparedUse(of app: AppID) throws(Failure) -> AppQuota.Use {
        let size = byteCount(of: "document")
        let found = try rows(
            """
            SELECT (SELECT COUNT(*) FROM drafts WHERE app = ?), (SELECT COUNT(*) FROM schedule WHERE app = ?),
                (SELECT COALESCE(SUM(\(size) + COALESCE(\(byteCount(of: "incomplete")), 0)), 0) FROM drafts WHERE app = ?)
                    + (SELECT COALESCE(SUM(\(size)), 0) FROM schedule WHERE app = ?)
            """, Array(repeating: SQLValue(app), count: 4)
        ) { row throws(Failure) in
            var use = AppQuota.Use()
            (use.drafts, use.scheduled, use.preparedBytes) = (try row.read(), try row.read(), try row.read())
            return use
        }
        return found.first ?? AppQuota.Use()
    }

    func drafts(where condition: String, _ values: [SQLValue]) throws(Failure) -> [Draft] {
        try rows("SELECT \(Draft.columns) FROM drafts WHERE \(condition)", values, as: Draft.self)
    }

    /// Creates or replaces the draft.
    func put(_ draft: Draft, of app: AppID) throws(Failure) {
        try enqueue(
            """
            INSERT INTO drafts (app, audience, position, version, tag, document, saved_at, saved_by, savers, approvals, base, applied,
                incomplete, review)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, audience, position) DO UPDATE SET tag = excluded.tag, document = excluded.document,
                saved_at = excluded.saved_at, saved_by = excluded.saved_by, savers = excluded.savers, approvals = excluded.approvals,
                base = excluded.base, applied = excluded.applied, incomplete = excluded.incomplete, review = excluded.review
            """,
            [
                SQLValue(app), SQLValue(draft.audience), .text(draft.version.position), SQLValue(draft.version),
                .text(draft.tag), SQLValue(utf8: draft.set.canonicalJSON), SQLValue(draft.savedAt), .text(draft.savedBy),
                SQLValue(editorIDs: draft.editorIDs), SQLValue(approvals: draft.approvals), draft.base.map { .integer($0) } ?? .null,
                draft.applied.map { SQLValue(utf8: $0.canonicalJSON) } ?? .null,
                draft.incomplete.map { .document($0, of: draft) } ?? .null,
                draft.review.isEmpty ? .null : .document(draft.review.stored, of: draft),
            ])
    }
}

extension Draft: RowReadable {
    static let columns = "version, audience, document, tag, saved_at, saved_by, savers, approvals, base, applied, incomplete, review"

    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            version: try row.read(), audience: try row.read(), set: try row.read(), tag: try row.read(), savedAt: try row.read(),
            savedBy: try row.read(), editorIDs: try row.editorIDs(), approvals: try row.approvals())
        (base, applied) = (try row.read(), try row.read())
        incomplete = try row.document(of: self)
        review = try row.document(of: self).map { DraftReview(stored: $0) } ?? .none
    }
}

extension SQLValue {
    /// A document that belongs to one save of a draft. An older program saves a draft and does not change the column.
    fileprivate static func document(_ json: JSON, of draft: Draft) -> SQLValue {
        let pair: JSON = ["tag": .string(Text(draft.tag)), "document": json]
        return SQLValue(utf8: pair.encoded)
    }
}

extension SQLRow {
    /// Nil if the column belongs to an earlier save.
    fileprivate mutating func document(of draft: Draft) throws(Failure) -> JSON? {
        guard let text: String = try read() else { return nil }
        guard let pair = try? JSON(document: Array(text.utf8)) else { throw .corrupt("\(quoted(text)) is not JSON.") }
        return pair.members.text("tag")?.string == draft.tag ? pair["document"] : nil
    }
}

extension DraftReview {
    fileprivate var stored: JSON { ["request": request?.json, "changes": changes?.json] }

    fileprivate init(stored json: JSON) {
        self.init(request: json["request"].flatMap { Note(stored: $0) }, changes: json["changes"].flatMap { Note(stored: $0) })
    }
}

extension DraftReview.Note {
    fileprivate var json: JSON {
        ["by": .string(Text(by)), "owner": .string(owner), "at": .string(at), "comment": comment.map { .string($0) }]
    }

    fileprivate init?(stored json: JSON) {
        guard let by = json.members.text("by"), let owner = json.members.text("owner"),
            let at = json.members.text("at").flatMap({ Timestamp($0.string) })
        else { return nil }
        self.init(
            by: by.string, owner: TokenOwner(owner.string), at: at,
            comment: json.members.text("comment").flatMap { RevisionMessage($0.string) })
    }
}

extension Store {
    package func editDraft(
        _ edit: DraftEdit, _ change: DraftChange, of app: AppID, by author: Author
    ) throws(Failure) -> DraftReceipt {
        try write { transaction throws(Failure) in
            guard let snapshot = try transaction.snapshot(of: app) else { throw .unknownApp(app) }
            let edited = try transaction.connection.edited(edit, change, in: snapshot)
            return try transaction.saveDraft(
                edited.content, mayBeIncomplete: edit.mayBeIncomplete, edited.change, of: app, by: author)
        }
    }

    package func tryDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID) throws(Failure) -> [Warning] {
        try database.read { connection throws(Failure) in
            let snapshot = try connection.committedSnapshot(of: app, snapshots)
            let edited = try connection.edited(edit, change, in: snapshot)
            let set = edited.content.set
            try set.requireTitles(in: snapshot.app.defaultLanguage)
            try edited.change.requireWriteCondition(edited.previous)
            return try edited.change.warnings(of: set, in: snapshot) { ids throws(Failure) in
                try connection.publishedIDs(among: ids, in: change.audience, of: app)
            }
        }
    }

    package func tryPublish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> [Warning] {
        try database.read { connection throws(Failure) in
            let snapshot = try connection.committedSnapshot(of: app, snapshots)
            let plan = try Publication.plan(
                change, in: snapshot, revision: snapshot.lastRevision + 1,
                known: { ids throws(Failure) in try connection.publishedIDs(among: ids, in: change.audience, of: app) }, by: author)
            return switch plan {
            case .unchanged(_, let warnings): warnings
            case .change(let publication): publication.warnings
            }
        }
    }
}

extension SQLConnection {
    /// Must be called outside of any write.
    fileprivate func committedSnapshot(of app: AppID, _ snapshots: SnapshotCache) throws(Failure) -> AppSnapshot {
        guard var stored = try storedApp(app, snapshots, isCommitted: true) else { throw .unknownApp(app) }
        return try stored.snapshot()
    }

    /// The draft's content after the edit, and the change with the precondition that applies to it.
    fileprivate func edited(
        _ edit: DraftEdit, _ change: DraftChange, in snapshot: AppSnapshot
    ) throws(Failure) -> (content: DraftContent, change: DraftChange, previous: Draft?) {
        let app = snapshot.app
        let previous = try draft(change.version, change.audience, of: app.id)
        let current = previous == nil ? snapshot.timelines[change.audience]?.set(startingAt: change.version) : nil
        let content = try edit.applied(to: previous, or: current?.set, defaultLanguage: app.defaultLanguage)
        guard let content else { throw .nothingToPatch(change.version, change.audience) }
        return (content, edit.change(change, beginningWith: current), previous)
    }
}

extension Failure {
    fileprivate static func nothingToPatch(_ version: AppVersion, _ audience: Audience) -> Failure {
        Failure(
            .unknownResource,
            "There is neither a draft nor a published set of version \(version) and audience \"\(audience)\" to change. Save a draft with "
                + "PUT …/draft.")
    }
}
