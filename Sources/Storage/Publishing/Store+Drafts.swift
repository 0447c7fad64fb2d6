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
        _ change: DraftChange, until: Timestamp?, override: OverrideReason?, of app: AppID, by author: Author
    ) throws(Failure) -> PublishReceipt {
        func publish(of draft: Draft) -> SetChange {
            SetChange(
                version: change.version, audience: change.audience, action: .publish(draft.set),
                writeCondition: change.writeCondition.matching(draft.tag),
                consent: .approvals(draft.consents, override: override), until: until, message: change.message)
        }
        let known = try? draft(change.version, change.audience, of: app)
        let expected = known.flatMap { expectedMenu(of: publish(of: $0), in: app) }
        return try writeMenu(expected) { transaction throws(Failure) in
            let draft = try transaction.requireDraft(change, of: app)
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
    /// - Parameter isLogged: whether the save has its own audit entry.
    mutating func saveDraft(
        _ set: ShortcutSet, _ change: DraftChange, of app: AppID, by author: Author, isLogged: Bool = true
    ) throws(Failure) -> DraftReceipt {
        let previous = try connection.draft(change.version, change.audience, of: app)
        // An invalid document is reported before a failed precondition (412), and a reused id (409) after it.
        guard let snapshot = try snapshot(of: app) else { throw .unknownApp(app) }
        try set.requireTitles(in: snapshot.app.defaultLanguage)
        try change.requireWriteCondition(previous)
        let warnings = try warnings(of: set, change, of: app)
        if let previous, previous.set.hasSameDocument(as: set) {
            return DraftReceipt(draft: try rebased(previous, change, of: app), warnings: warnings, isNew: false)
        }
        var draft = Draft(set, change, tag: freshDraftTag, replacing: previous, by: author)
        if previous == nil, draft.base == nil { draft.base = snapshot.current(change)?.revision ?? 0 }
        let use = try connection.preparedUse(of: app)
        try quota.require(use.saving(set, replacing: previous?.set), after: use, of: app)
        try connection.put(draft, of: app)
        if isLogged { try log(change, .draftSaved, of: app, by: author) }
        return DraftReceipt(draft: draft, warnings: warnings, isNew: previous == nil)
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
                (SELECT COALESCE(SUM(\(size)), 0) FROM drafts WHERE app = ?) + (SELECT COALESCE(SUM(\(size)), 0) FROM schedule WHERE app = ?)
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
            INSERT INTO drafts (app, audience, position, version, tag, document, saved_at, saved_by, savers, approvals, base, applied)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, audience, position) DO UPDATE SET tag = excluded.tag, document = excluded.document,
                saved_at = excluded.saved_at, saved_by = excluded.saved_by, savers = excluded.savers, approvals = excluded.approvals,
                base = excluded.base, applied = excluded.applied
            """,
            [
                SQLValue(app), SQLValue(draft.audience), .text(draft.version.position), SQLValue(draft.version),
                .text(draft.tag), SQLValue(utf8: draft.set.canonicalJSON), SQLValue(draft.savedAt), .text(draft.savedBy),
                SQLValue(editorIDs: draft.editorIDs), SQLValue(approvals: draft.approvals), draft.base.map { .integer($0) } ?? .null,
                draft.applied.map { SQLValue(utf8: $0.canonicalJSON) } ?? .null,
            ])
    }
}

extension Draft: RowReadable {
    static let columns = "version, audience, document, tag, saved_at, saved_by, savers, approvals, base, applied"

    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            version: try row.read(), audience: try row.read(), set: try row.read(), tag: try row.read(), savedAt: try row.read(),
            savedBy: try row.read(), editorIDs: try row.editorIDs(), approvals: try row.approvals())
        (base, applied) = (try row.read(), try row.read())
    }
}

extension Store {
    package func editDraft(
        _ edit: DraftEdit, _ change: DraftChange, of app: AppID, by author: Author
    ) throws(Failure) -> DraftReceipt {
        try write { transaction throws(Failure) in
            guard let snapshot = try transaction.snapshot(of: app) else { throw .unknownApp(app) }
            let edited = try transaction.connection.edited(edit, change, in: snapshot)
            return try transaction.saveDraft(edited.set, edited.change, of: app, by: author)
        }
    }

    package func tryDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID) throws(Failure) -> [Warning] {
        try database.read { connection throws(Failure) in
            let snapshot = try connection.committedSnapshot(of: app, snapshots)
            let edited = try connection.edited(edit, change, in: snapshot)
            try edited.set.requireTitles(in: snapshot.app.defaultLanguage)
            try edited.change.requireWriteCondition(edited.previous)
            return try edited.change.warnings(of: edited.set, in: snapshot) { ids throws(Failure) in
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
    ) throws(Failure) -> (set: ShortcutSet, change: DraftChange, previous: Draft?) {
        let app = snapshot.app
        let previous = try draft(change.version, change.audience, of: app.id)
        let current = previous == nil ? snapshot.timelines[change.audience]?.set(startingAt: change.version) : nil
        let content = try edit.applied(to: previous?.set ?? current?.set, defaultLanguage: app.defaultLanguage)
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
