import QuickActions
import Shortcuts

extension Store {
    package func export(_ selection: ArchiveSelection, to write: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var isBegun = false
        try database.read(within: .bulkRead) { connection throws(Failure) in
            // A read is repeated if the connection is lost, but output that was already written cannot be undone.
            guard !isBegun else {
                throw .storageUnavailable("The connection to the database was lost during the export. Try again.", cause: "The export")
            }
            let apps = try connection.apps(within: selection)
            let counters = try connection.revisionCounters(within: selection)
            let ids = Set(apps.map(\.id))
            for app in selection.apps.sorted() where !ids.contains(app) && counters[app] == nil { throw .unknownApp(app) }
            isBegun = true
            try Archive.Writer.write(to: write) { writer throws(Failure) in
                for app in apps { try writer.add(try connection.archived(app, counters[app.id] ?? 0, selection)) }
                try writer.beginDeletedApps()
                for (app, last) in counters.sorted(by: { $0.key < $1.key }) where !ids.contains(app) {
                    try writer.add(try connection.history(of: app, last, selection))
                }
            }
        }
    }

    @discardableResult
    package func importArchive(
        _ archive: Archive, replacing: Bool, dryRun: Bool, override: OverrideReason?, by author: Author
    ) throws(Failure) -> [Replacement] {
        guard !dryRun else {
            return try database.read(within: .bulkRead) { connection throws(Failure) in
                let marks = try connection.room(for: archive, replacing: replacing)
                let replacements = try connection.replacements(by: archive, marks, snapshots, author)
                try connection.requireQuota(configuration.quota, of: archive, replacing: replacements)
                return replacements.map(\.result)
            }
        }
        return try writeBulk { transaction throws(Failure) in
            let connection = transaction.connection
            let marks = try connection.room(for: archive, replacing: replacing)
            let replacements = try connection.replacements(by: archive, marks, snapshots, author)
            try connection.requireQuota(configuration.quota, of: archive, replacing: replacements)
            let replaced = Set(replacements.map(\.result.app.app.id))
            var reason: OverrideReason?
            for replacement in replacements {
                let app = replacement.result.app.app
                guard let given = try app.reasonToLowerApprovals(of: replacement.current?.app, override) else { continue }
                reason = given
                try transaction.announce(transaction.announcer.override(given, of: nil, revision: nil, of: app.id, by: author))
            }
            // Replacements come first: they delete sets before the revisions that the sets refer to.
            for replacement in replacements { try transaction.apply(replacement, by: author) }
            for history in archive.deletedApps {
                try transaction.replaceHistory(with: history, above: marks[history.app]?.lastRevision ?? 0, by: author)
            }
            for app in archive.apps where !replaced.contains(app.app.id) { try transaction.insert(app, by: author) }
            try transaction.log(AuditEntry(author: author, action: .storeImported, detail: AuditDetail(reason: reason)))
            return replacements.map(\.result)
        }
    }
}

extension Transaction {
    fileprivate mutating func insert(_ archived: ArchivedApp, by author: Author) throws(Failure) {
        let app = archived.app.id
        try put(archived.app)
        try connection.put(archived.icon?.png, asIconOf: app)
        try announce(announcer.appCreated(app, by: author))
        for release in archived.releases {
            try put(release, of: app)
            try announce(announcer.releaseImported(release.id, .none, of: app, by: author))
        }
        try insert(archived.history, by: author)
        let snapshot = archived.snapshot
        for revision in archived.sets {
            guard let set = revision.set else { continue }
            try makeCurrent(revision, of: app)
            try announce(announcer.published(revision, set, replacing: nil, in: snapshot, by: author))
            tell(StreamedChange(revision, in: snapshot), of: app)
        }
        try insert(archived.candidates, replacing: [], of: app, by: author)
        try insert(archived.drafts, archived.schedule, of: app, by: author)
        if let applied = archived.applied { try connection.record(applied, replacing: nil, of: app) }
    }

    func insert(_ history: RevisionHistory, by author: Author) throws(Failure) {
        if history.lastRevision > 0 { try setLastRevision(history.lastRevision, of: history.app) }
        for revision in history.revisions {
            var revision = revision
            (revision.importedBy, revision.importedAt) = (author.token, author.at)
            try connection.insert(revision, of: history.app)
            if let set = revision.set { try record(set.items.map(\.id), in: revision.audience, of: history.app) }
        }
    }

    /// Drafts get new entity tags of this store.
    mutating func insert(_ drafts: [Draft], _ schedule: [ScheduleEntry], of app: AppID, by author: Author) throws(Failure) {
        for draft in drafts { try connection.put(draft.imported(tag: freshDraftTag, by: author), of: app) }
        for entry in schedule {
            try connection.insert(entry.imported(draftTag: freshDraftTag, by: author), of: app)
        }
        if !schedule.isEmpty { effects.hasScheduled = true }
    }
}

extension Draft {
    /// The importer becomes the draft's only editor: the document cannot prove other editors or approvals.
    fileprivate func imported(tag: String, by importer: Author) -> Draft {
        var draft = Draft(
            version: version, audience: audience, set: set, tag: tag, savedAt: savedAt, savedBy: savedBy,
            editorIDs: importer.tokenID.map { [$0] } ?? [])
        (draft.applied, draft.incomplete) = (applied, incomplete)
        return draft
    }
}

extension ScheduleEntry {
    /// The entry gets the importer as its author, because the revision that it makes names its author. Its time stays.
    fileprivate func imported(draftTag: String, by importer: Author) -> ScheduleEntry {
        var action = action
        if case .publish(let draft, _) = action { action = .publish(draft.imported(tag: draftTag, by: importer), override: nil) }
        return ScheduleEntry(
            id: id, version: version, audience: audience, at: at, action: action, automaticRevert: automaticRevert,
            message: message, author: importer.later(author.at))
    }
}

extension SQLConnection {
    /// The stored marks of the archive's apps.
    /// - Throws: `conflict`, which names each app that prevents the import, and the remedy.
    fileprivate func room(for archive: Archive, replacing: Bool) throws(Failure) -> [AppID: AppMark] {
        var violations: [Violation] = []
        let deleted = Set(archive.deletedApps.map(\.app))
        let marks = try marks(of: archive.ids)
        for id in archive.ids {
            let isHere = marks[id]?.stamp != nil
            if replacing {
                // An import must not delete an app that exists: people may have it installed.
                guard isHere, deleted.contains(id) else { continue }
                violations.append(
                    .taken(id, "exists, but the document lists it as deleted. Delete it first, or remove it from deletedApps."))
            } else if isHere {
                violations.append(.taken(id, "already exists. \(Self.wayOut)"))
            } else if let mark = marks[id], mark.lastRevision > 0 {
                violations.append(
                    .taken(id, "existed before, and its revision numbers are kept because version tags may contain them. \(Self.wayOut)"))
            }
        }
        guard violations.isEmpty else {
            throw Failure(
                .conflict, violations.map(\.message).joined(separator: " ") + " Nothing was imported.", violations: violations)
        }
        return marks
    }

    fileprivate func requireQuota(
        _ quota: AppQuota, of archive: Archive, replacing replacements: [PlannedReplacement]
    ) throws(Failure) {
        let current = Dictionary(replacements.map { ($0.result.app.app.id, $0.current) }, uniquingKeysWith: { first, _ in first })
        for app in archive.apps {
            let (id, use) = (app.app.id, app.use)
            guard quota.isExceeded(by: use) else { continue }
            var previous = (current[id] ?? nil)?.use ?? AppQuota.Use()
            if current[id] != nil {
                let prepared = try preparedUse(of: id)
                (previous.drafts, previous.scheduled, previous.preparedBytes) = (
                    prepared.drafts, prepared.scheduled, prepared.preparedBytes
                )
            }
            try quota.require(use, after: previous, of: id)
        }
    }

    private static var wayOut: String {
        "Import with ?replace=true (longpress import --replace) to replace it, or remove it from the document."
    }

    fileprivate func apps(within selection: ArchiveSelection) throws(Failure) -> [App] {
        let (condition, values) = selection.condition(on: "id")
        return try rows("SELECT \(App.columns) FROM apps WHERE \(condition) ORDER BY id", values, as: App.self)
    }

    /// The last number that was given for each app, including deleted ones.
    fileprivate func revisionCounters(within selection: ArchiveSelection) throws(Failure) -> [AppID: Int64] {
        let (condition, values) = selection.condition(on: "app")
        let counters = try rows("SELECT app, last_revision FROM revision_counters WHERE \(condition)", values) { row throws(Failure) in
            (try row.read(AppID.self), try row.integer())
        }
        return Dictionary(counters, uniquingKeysWith: { first, _ in first })
    }

    fileprivate func history(of app: AppID, _ last: Int64, _ selection: ArchiveSelection) throws(Failure) -> RevisionHistory {
        let used = """
            AND (number IN (SELECT revision FROM sets WHERE app = ?) OR number IN (SELECT revision FROM schedule WHERE app = ?)
                OR number IN (SELECT revision FROM rollouts WHERE app = ? AND ended_at IS NULL))
            """
        let revisions = try rows(
            "SELECT \(Revision.columns) FROM revisions WHERE app = ? \(selection.leavesHistoryOut ? used : "") ORDER BY number",
            Array(repeating: SQLValue(app), count: selection.leavesHistoryOut ? 4 : 1), as: Revision.self)
        return RevisionHistory(app: app, lastRevision: last, revisions: revisions)
    }

    fileprivate func archived(_ app: App, _ last: Int64, _ selection: ArchiveSelection) throws(Failure) -> ArchivedApp {
        let history = try history(of: app.id, last, selection)
        let numbers = try rows(
            "SELECT revision FROM sets WHERE app = ? ORDER BY audience, position", [SQLValue(app.id)], as: Int64.self)
        let revisions = Dictionary(history.revisions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        return ArchivedApp(
            app: app, releases: try releases(of: app.id), sets: numbers.compactMap { revisions[$0] },
            candidates: try candidates(of: app.id),
            drafts: try drafts(where: "app = ? ORDER BY audience, position", [SQLValue(app.id)]),
            schedule: try scheduleRows(where: "s.app = ? ORDER BY s.due_at, s.sequence", [SQLValue(app.id)]).map(\.entry),
            history: history, applied: try appliedDocuments(of: [app.id])[app.id],
            icon: try icon(of: app.id).flatMap { png in try? AppIcon(png) })
    }
}

extension ArchiveSelection {
    fileprivate func condition(on column: String) -> (sql: String, values: [SQLValue]) {
        (apps.isEmpty ? scope : .apps(apps)).condition(on: column)
    }
}

extension Violation {
    fileprivate static func taken(_ app: AppID, _ what: String) -> Violation {
        Violation(path: "apps", code: "conflict", message: "The app \(quoted(app.description)) \(what)")
    }
}

extension Transaction {
    /// Replaces the app's releases, sets, drafts, schedule and revisions by the archive's. Tap counts and the ids of published items stay.
    mutating func apply(_ replacement: PlannedReplacement, by author: Author) throws(Failure) {
        let archived = replacement.result.app
        let app = archived.app.id
        try put(archived.app)
        try connection.put(archived.icon?.png, asIconOf: app)
        if replacement.current == nil { try announce(announcer.appCreated(app, by: author)) }
        try replaceReleases(of: replacement.current, app, with: archived.releases, by: author)
        try connection.enqueue("DELETE FROM sets WHERE app = ?", [SQLValue(app)])
        try replaceHistory(with: archived.history, above: replacement.lastRevision, by: author)
        for revision in archived.sets { try makeCurrent(revision, of: app) }
        try insert(archived.candidates, replacing: replacement.current?.candidates ?? [], of: app, by: author)
        try connection.enqueue("DELETE FROM drafts WHERE app = ?", [SQLValue(app)])
        try connection.enqueue("DELETE FROM schedule WHERE app = ?", [SQLValue(app)])
        try insert(archived.drafts, archived.schedule, of: app, by: author)
        try connection.enqueue("DELETE FROM applied_documents WHERE app = ?", [SQLValue(app)])
        if let applied = archived.applied { try connection.record(applied, replacing: nil, of: app) }
        effects.hasScheduled = true
        let snapshot = archived.snapshot
        for change in replacement.result.changes {
            tell(StreamedChange(change.revision, in: snapshot), of: app)
            try announce(
                change.revision.set.map { set in
                    announcer.published(change.revision, set, replacing: change.previous, in: snapshot, by: author)
                } ?? announcer.deleted(change.revision, of: app, by: author))
        }
    }

    /// The revision counter never decreases, so that the numbers of deleted revisions are not given again.
    /// - Parameter last: the last number that was given.
    func replaceHistory(with history: RevisionHistory, above last: Int64, by author: Author) throws(Failure) {
        try connection.enqueue("DELETE FROM revisions WHERE app = ?", [SQLValue(history.app)])
        try insert(
            RevisionHistory(app: history.app, lastRevision: max(last, history.lastRevision), revisions: history.revisions), by: author)
    }

    private mutating func replaceReleases(
        of current: AppSnapshot?, _ app: AppID, with releases: [Release], by author: Author
    ) throws(Failure) {
        let previous = Dictionary((current?.releases ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        try connection.enqueue("DELETE FROM releases WHERE app = ?", [SQLValue(app)])
        for release in releases {
            try put(release, of: app)
            guard previous[release.id]?.canonicalJSON != release.canonicalJSON else { continue }
            let effect = ReleaseEffect(of: release.id, in: current, leaving: releases)
            try announce(announcer.releaseImported(release.id, effect, of: app, by: author))
        }
    }
}

/// How an import changes an app that exists or was deleted.
struct PlannedReplacement {
    let result: Replacement
    /// The app in the store; nil if it was deleted.
    let current: AppSnapshot?
    /// The last number that the store gave.
    let lastRevision: Int64
}

extension SQLConnection {
    /// How the archive changes the apps that exist or were deleted.
    func replacements(
        by archive: Archive, _ marks: [AppID: AppMark], _ snapshots: SnapshotCache, _ author: Author
    ) throws(Failure) -> [PlannedReplacement] {
        var replacements: [PlannedReplacement] = []
        for archived in archive.apps {
            guard let mark = marks[archived.app.id], mark.stamp != nil || mark.lastRevision > 0 else { continue }
            let current = try snapshot(of: archived.app.id, mark, snapshots, isCommitted: false)
            let result = Replacement(of: current, lastRevision: mark.lastRevision, by: archived, author: author)
            replacements.append(PlannedReplacement(result: result, current: current, lastRevision: mark.lastRevision))
        }
        return replacements
    }
}
