import Shortcuts

extension Store: ArchiveStore {
    package func archive(within scope: Scope) throws(Failure) -> Archive {
        try database.read { connection throws(Failure) in
            let histories = try connection.histories(within: scope)
            let apps = try connection.apps(within: scope)
            let ids = Set(apps.map(\.id))
            var archived: [ArchivedApp] = []
            for app in apps {
                let history = histories[app.id] ?? RevisionHistory(app: app.id, lastRevision: 0, revisions: [])
                archived.append(try connection.archived(app, history))
            }
            return Archive(
                apps: archived, deletedApps: histories.values.filter { !ids.contains($0.app) }.sorted { $0.app < $1.app })
        }
    }

    package func bring(_ archive: Archive, isRehearsal: Bool, by author: Author) throws(Failure) {
        guard !isRehearsal else {
            return try database.read { connection throws(Failure) in try connection.requireAbsent(archive.ids) }
        }
        try write { transaction throws(Failure) in
            try transaction.connection.requireAbsent(archive.ids)
            for history in archive.deletedApps { try transaction.bring(history) }
            for app in archive.apps { try transaction.bring(app, by: author) }
            try transaction.log(AuditEntry(author: author, action: .storeImported))
        }
    }
}

extension Transaction {
    fileprivate mutating func bring(_ archived: ArchivedApp, by author: Author) throws(Failure) {
        let app = archived.app.id
        try put(archived.app)
        try announce(announcer.appCreated(app, at: author.at))
        for release in archived.releases {
            try put(release, of: app)
            try announce(announcer.releaseImported(release.id, of: app, at: author.at))
        }
        try bring(archived.history)
        let snapshot = archived.snapshot
        for revision in archived.sets {
            guard let set = revision.set else { continue }
            try stand(revision, of: app)
            try announce(announcer.published(revision, set, replacing: nil, in: snapshot, at: author.at))
        }
        for draft in archived.drafts { try bring(draft, of: app, by: author) }
    }

    fileprivate func bring(_ history: RevisionHistory) throws(Failure) {
        if history.lastRevision > 0 { try count(history.lastRevision, of: history.app) }
        for revision in history.revisions {
            try connection.insert(revision, of: history.app)
            if let set = revision.set { try remember(set, in: revision.audience, of: history.app) }
        }
    }

    private mutating func bring(_ draft: Draft, of app: AppID, by author: Author) throws(Failure) {
        let named = Draft(
            version: draft.version, audience: draft.audience, set: draft.set, tag: freshDraftTag, savedAt: draft.savedAt,
            savedBy: draft.savedBy, schedule: draft.schedule)
        try connection.put(named, of: app)
        guard let schedule = draft.schedule else { return }
        let scheduler = Author(token: schedule.by, address: author.address, request: author.request, at: author.at)
        try connection.schedule(named, at: schedule.at, of: app, by: scheduler)
        effects.hasScheduled = true
    }
}

extension SQLConnection {
    /// - Throws: `conflict` that names each of the apps that is there, or was.
    fileprivate func requireAbsent(_ apps: [AppID]) throws(Failure) {
        var violations: [Violation] = []
        for id in apps {
            if try app(id) != nil {
                violations.append(.taken(id, "is here already: delete it first, or take it out of the document"))
            } else if try first("SELECT 1 FROM revision_counters WHERE app = ?", [SQLValue(id)], { _ in true }) == true {
                violations.append(
                    .taken(id, "was here before, and its revisions are kept because tags of them may exist: take it out of the document"))
            }
        }
        guard violations.isEmpty else {
            throw Failure(
                .conflict, violations.map(\.message).joined(separator: " ") + " Nothing was imported.", violations: violations)
        }
    }

    fileprivate func apps(within scope: Scope) throws(Failure) -> [App] {
        let (condition, values) = scope.condition(on: "id")
        return try rows("SELECT \(App.columns) FROM apps WHERE \(condition) ORDER BY id", values) { row throws(Failure) in
            try App(&row)
        }
    }

    fileprivate func histories(within scope: Scope) throws(Failure) -> [AppID: RevisionHistory] {
        let (condition, values) = scope.condition(on: "app")
        let counters = try rows(
            "SELECT app, last_revision FROM revision_counters WHERE \(condition)", values
        ) { row throws(Failure) in (app: try row.parsed(AppID.init), last: try row.integer()) }
        var histories: [AppID: RevisionHistory] = [:]
        for (app, last) in counters {
            let revisions = try rows(
                "SELECT \(Revision.columns) FROM revisions WHERE app = ? ORDER BY number", [SQLValue(app)]
            ) { row throws(Failure) in try Revision(&row) }
            histories[app] = RevisionHistory(app: app, lastRevision: last, revisions: revisions)
        }
        return histories
    }

    fileprivate func archived(_ app: App, _ history: RevisionHistory) throws(Failure) -> ArchivedApp {
        let numbers = try rows(
            "SELECT revision FROM sets WHERE app = ? ORDER BY audience, position", [SQLValue(app.id)]
        ) { row throws(Failure) in try row.integer() }
        let revisions = Dictionary(history.revisions.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        return ArchivedApp(
            app: app, releases: try releases(of: app.id), sets: numbers.compactMap { revisions[$0] },
            drafts: try drafts(where: "app = ? ORDER BY audience, position", [SQLValue(app.id)]), history: history)
    }
}

extension Violation {
    fileprivate static func taken(_ app: AppID, _ what: String) -> Violation {
        Violation(path: "apps", code: "conflict", message: "The app \(quoted(app.description)) \(what).")
    }
}
