import QuickActions
import Shortcuts

extension Store: AppStore {
    package func apps(_ page: PageRequest, matching query: AppQuery, within scope: Scope) throws(Failure) -> Page<App> {
        let listing = AppListing(query.order, at: clock.now(), noteUnreadable: configuration.noteUnreadable)
        func read(_ key: [SQLValue], _ limit: Int) throws(Failure) -> [AppListing.Entry?] {
            try database.read { connection throws(Failure) in try listing.read(behind: key, within: scope, limit: limit, connection) }
        }
        let activity: [AppID: AppActivity] =
            query.onlyAttention
            ? try database.read { connection throws(Failure) in try connection.activity(of: nil, at: clock.now()) } : [:]
        return try listing.pages.page(page, batch: query.isFilter ? 500 : 0, read: read) {
            query.matches($0.app) && (!query.onlyAttention || activity[$0.app.id]?.needsAttention ?? false)
        }.map(\.app)
    }

    package var freshness: Freshness { database.freshness }

    package func catchUp() throws(Failure) {
        try database.checkForExternalCommits()
    }

    package func catchUpCompletely() throws(Failure) {
        try database.catchUp()
    }

    package func app(_ id: AppID) throws(Failure) -> App? {
        try database.read { connection throws(Failure) in try connection.app(id) }
    }

    package func snapshot(of id: AppID) throws(Failure) -> AppSnapshot? {
        let read = try read(id) { app throws(Failure) in try app.snapshot() }
        return read.map { $0.mayBeOutdated ? $0.answer.asStale : $0.answer }
    }

    package func snapshot(
        of id: AppID, effectiveFor version: AppVersion, _ audience: Audience
    ) throws(Failure) -> EffectiveSnapshot? {
        try snapshots(of: id, effectiveFor: [(version, audience)])?.first
    }

    package func snapshots(
        of id: AppID, effectiveFor fetches: [(version: AppVersion, audience: Audience)]
    ) throws(Failure) -> [EffectiveSnapshot]? {
        let read = try read(id) { app throws(Failure) in
            try fetches.map { fetch throws(Failure) in try app.snapshot(effectiveFor: fetch.version, fetch.audience) }
        }
        return read.map { $0.mayBeOutdated ? $0.answer.map(\.asStale) : $0.answer }
    }

    package func lastKnown(_ id: AppID) throws(Failure) -> AppSnapshot? {
        guard var app = snapshots.lastCommitted(id) else { return nil }
        return try app.snapshot().asStale
    }

    package func lastKnown(
        _ id: AppID, effectiveFor version: AppVersion, _ audience: Audience
    ) throws(Failure) -> EffectiveSnapshot? {
        guard var app = snapshots.lastCommitted(id) else { return nil }
        return try app.snapshot(effectiveFor: version, audience).asStale
    }

    /// Answers from the stored app, or from the last known one if the store cannot be read. Parsed sets are cached.
    private func read<Answer>(
        _ id: AppID, _ ask: (inout StoredApp) throws(Failure) -> Answer
    ) throws(Failure) -> (answer: Answer, mayBeOutdated: Bool)? {
        var stored: StoredApp?
        var mayBeOutdated = false
        // With a cached app to answer from, a fetch waits for less time.
        let limit: Duration = snapshots.lastCommitted(id) == nil ? .seconds(5) : .seconds(2)
        let begin = snapshots.nextMoment()
        do throws(Failure) {
            stored = try database.read(within: limit) { connection throws(Failure) in
                try connection.storedApp(id, snapshots, isCommitted: true)
            }
        } catch {
            guard error.code == .storageUnavailable, let last = snapshots.lastCommitted(id) else { throw error }
            stored = last
            mayBeOutdated = true
        }
        let end = snapshots.nextMoment()
        guard var app = stored else {
            snapshots.remove(id, readFrom: begin)
            return nil
        }
        let answer = try ask(&app)
        if !mayBeOutdated { snapshots.keep(app, readFrom: begin, to: end) }
        return (answer, mayBeOutdated)
    }

    package func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) throws(Failure) -> Set<ItemID> {
        try database.read { connection throws(Failure) in try connection.publishedIDs(among: ids, in: audience, of: app) }
    }

    package func putApp(
        _ id: AppID, override: OverrideReason?, by author: Author, change: (AppSnapshot?) throws(Failure) -> App
    ) throws(Failure) -> (app: App, isNew: Bool) {
        try write { transaction throws(Failure) in
            let previous = try transaction.snapshot(of: id)
            let app = try change(previous)
            guard app != previous?.app else { return (app, false) }
            let reason = try app.reasonToLowerApprovals(of: previous?.app, override)
            try transaction.put(app)
            if previous == nil { try transaction.announce(transaction.announcer.appCreated(id, by: author)) }
            if let reason {
                try transaction.announce(transaction.announcer.override(reason, of: nil, revision: nil, of: id, by: author))
            }
            try transaction.log(
                AuditEntry(
                    author: author, action: previous == nil ? .appCreated : .appUpdated, app: id, target: .app(id, name: app.name),
                    detail: AuditDetail(reason: reason, from: previous?.app.json, to: app.json)))
            return (app, previous == nil)
        }
    }

    package func deleteApp(_ id: AppID, by author: Author, expecting writeCondition: WriteCondition = .none) throws(Failure) {
        try write { transaction throws(Failure) in
            guard let app = try transaction.connection.app(id) else { throw .unknownApp(id) }
            try writeCondition.require(app)
            try transaction.connection.enqueue("DELETE FROM apps WHERE id = ?", [SQLValue(id)])
            try transaction.renewStamp(of: id, telling: .deletion)
            try transaction.announce(transaction.announcer.appDeleted(id, by: author))
            try transaction.log(
                AuditEntry(
                    author: author, action: .appDeleted, app: id, target: .app(id, name: app.name),
                    detail: AuditDetail(from: app.json, to: nil)))
        }
    }
}

extension Transaction {
    mutating func put(_ app: App) throws(Failure) {
        try connection.enqueue(
            """
            INSERT INTO apps (id, stamp, name, default_language, fallback_url, approvals, languages, icon) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, default_language = excluded.default_language,
                fallback_url = excluded.fallback_url, approvals = excluded.approvals, languages = excluded.languages, icon = excluded.icon
            """,
            [
                SQLValue(app.id), .text(identifiers()), SQLValue(app.name), SQLValue(app.defaultLanguage),
                SQLValue(app.fallbackURL), .integer(app.approvals), SQLValue(utf8: JSON.strings(app.languages).encoded), SQLValue(app.icon),
            ])
        try renewStamp(of: app.id)
    }
}

extension SQLConnection {
    func app(_ id: AppID) throws(Failure) -> App? {
        let (sql, values) = App.query(id)
        return try first(sql, values, as: App.self)
    }

    private func stamp(of id: AppID) throws(Failure) -> String? {
        let (sql, values) = App.stampQuery(id)
        return try first(sql, values, as: String.self)
    }

    /// The cached app if its stamp is unchanged (one statement), else the stored one (six more statements in one round trip). Of an app of
    /// which sets are cached, one more statement reads the documents of the others.
    /// - Parameter isCommitted: whether this read is outside of any write.
    func storedApp(_ id: AppID, _ snapshots: SnapshotCache, isCommitted: Bool) throws(Failure) -> StoredApp? {
        try stamp(of: id).flatMap { stamp throws(Failure) in try storedApp(id, under: stamp, snapshots, isCommitted: isCommitted) }
    }

    /// The stamps of the apps that exist, and for each id the last revision number that was given.
    func marks(of ids: [AppID]) throws(Failure) -> [AppID: AppMark] {
        var marks: [AppID: AppMark] = [:]
        for list in ValueList.lists(of: ids.map { SQLValue($0) }) {
            let stamps = "SELECT id, stamp FROM apps WHERE id IN \(list.sql) ORDER BY id"
            for (id, stamp) in try rows(stamps, list.values, { row throws(Failure) in (try row.read(AppID.self), try row.text()) }) {
                marks[id, default: AppMark()].stamp = stamp
            }
            let counters = "SELECT app, last_revision FROM revision_counters WHERE app IN \(list.sql) ORDER BY app"
            for (id, last) in try rows(counters, list.values, { row throws(Failure) in (try row.read(AppID.self), try row.integer()) }) {
                marks[id, default: AppMark()].lastRevision = last
            }
        }
        return marks
    }

    /// The app with that mark; nil if it does not exist.
    func snapshot(of id: AppID, _ mark: AppMark?, _ snapshots: SnapshotCache, isCommitted: Bool) throws(Failure) -> AppSnapshot? {
        guard let stamp = mark?.stamp, var stored = try storedApp(id, under: stamp, snapshots, isCommitted: isCommitted) else { return nil }
        return try stored.snapshot()
    }

    /// - Parameter stamp: as read by this transaction.
    func storedApp(_ id: AppID, under stamp: String, _ snapshots: SnapshotCache, isCommitted: Bool) throws(Failure) -> StoredApp? {
        if let app = snapshots.app(id, under: stamp, isCommitted: isCommitted) { return app }
        let known = snapshots.sets(of: id)
        let answers = try rows(following: [
            App.query(id), known.isEmpty ? StoredApp.StoredSet.query(id) : StoredApp.StoredSet.headersQuery(id), Release.query(id),
            ScheduleEntry.nextQuery(id), Revision.lastQuery(id), Candidate.query(id),
        ])
        guard answers.count == 6 else { throw .corrupt("Six queries got \(answers.count) answers.") }
        guard let app = try answers[0].first?.value(as: App.self) else { return nil }
        let sets =
            known.isEmpty
            ? try answers[1].map { row throws(Failure) in try row.value(as: StoredApp.StoredSet.self) }
            : try self.sets(of: id, answers[1].map { row throws(Failure) in try row.value() }, known)
        return StoredApp(
            stamp: stamp, app: app, sets: sets,
            releases: answers[2].compactMap {
                $0.readable(as: Release.self) { snapshots.noteUnreadable(UnreadableRow(of: "releases", $0)) }
            },
            nextPublish: try answers[3].first?.value(), lastRevision: try answers[4].first?.value() ?? 0,
            candidates: try Candidate.read(answers[5]))
    }
}

/// Shows whether an app has changed.
struct AppMark {
    /// Nil if the app does not exist.
    var stamp: String?
    /// Also for a deleted app.
    var lastRevision: Int64 = 0
}

extension App: RowReadable {
    static let columns = "id, name, default_language, fallback_url, approvals, languages, icon"

    static func stampQuery(_ id: AppID) -> SQLQuery { ("SELECT stamp FROM apps WHERE id = ?", [SQLValue(id)]) }

    static func query(_ id: AppID) -> SQLQuery { ("SELECT \(columns) FROM apps WHERE id = ?", [SQLValue(id)]) }

    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            id: try row.read(), name: try row.read(), defaultLanguage: try row.read(), fallbackURL: try row.read(),
            approvals: try row.read(), languages: try row.languages(), icon: try row.read())
    }
}

extension SQLRow {
    /// `["en", …]`; empty for null.
    fileprivate mutating func languages() throws(Failure) -> [LanguageTag] {
        guard let text: String = try read() else { return [] }
        guard case .array(let elements)? = try? JSON(document: Array(text.utf8)) else {
            throw .corrupt("\(quoted(text)) is not a JSON array.")
        }
        return elements.compactMap { if case .string(let tag) = $0 { LanguageTag(tag.string) } else { nil } }
    }
}

extension Scope {
    /// An SQL condition on a column that names an app, with its values.
    func condition(on column: String) -> (sql: String, values: [SQLValue]) {
        switch self {
        case .all: ("1 = 1", [])
        case .apps(let apps) where apps.isEmpty: ("1 = 0", [])
        case .apps(let apps): ("\(column) IN (\(placeholders(apps.count)))", apps.sorted().map { SQLValue($0) })
        }
    }
}

/// A list of apps in one order.
///
/// By `publishedAt`, the cursor contains the time of the first page, and later pages use the order at that time. So a publish between two
/// pages neither repeats nor drops an app.
struct AppListing {
    struct Entry: Sendable {
        let app: App
        let key: [SQLValue]
    }

    let pages: Listing<Entry>
    private let order: AppQuery.Order
    private let now: Timestamp
    private let noteUnreadable: @Sendable (UnreadableRow) -> Void

    init(_ order: AppQuery.Order, at now: Timestamp, noteUnreadable: @escaping @Sendable (UnreadableRow) -> Void) {
        self.order = order
        self.now = now
        self.noteUnreadable = noteUnreadable
        let start: [SQLValue] =
            switch order {
            case .id: [.text("")]
            case .name: [.text(""), .text("")]
            case .publishedAt: [SQLValue(now), .integer(.min), .text("")]
            case .attention: [.integer(.min), .text("")]
            }
        pages = Listing(name: order == .id ? "apps" : "apps-\(order)", start: start, key: \.key)
    }

    func read(behind key: [SQLValue], within scope: Scope, limit: Int, _ connection: any SQLConnection) throws(Failure) -> [Entry?] {
        let (condition, scopeValues) = scope.condition(on: "id")
        switch order {
        case .id:
            return try connection.readableRows(
                "SELECT \(App.columns) FROM apps WHERE id > ? AND \(condition) ORDER BY id LIMIT ?",
                key + scopeValues + [SQLValue(limit)], as: App.self, unreadable: note
            ).map { app in app.map { Entry(app: $0, key: [SQLValue($0.id)]) } }
        case .name:
            return try rows(
                by: "LOWER(COALESCE(name, id))", [], condition, scopeValues + key + [SQLValue(limit)], connection
            ).map { placed in placed.map { Entry(app: $0.app, key: [$0.place, SQLValue($0.app.id)]) } }
        case .attention:
            return try connection.appsByAttention(behind: key, within: scope, limit: limit, at: now, unreadable: note)
        case .publishedAt:
            let asOf = Array(key.prefix(1))
            return try rows(
                by: """
                    0 - COALESCE((SELECT r.published_at FROM revisions r WHERE r.app = apps.id AND r.published_at <= ?
                        ORDER BY r.number DESC LIMIT 1), 0)
                    """, asOf, condition, scopeValues + key.dropFirst() + [SQLValue(limit)], connection
            ).map { placed in placed.map { Entry(app: $0.app, key: asOf + [$0.place, SQLValue($0.app.id)]) } }
        }
    }

    /// - Parameter place: an SQL expression.
    private func rows(
        by place: String, _ placeValues: [SQLValue], _ condition: String, _ values: [SQLValue], _ connection: any SQLConnection
    ) throws(Failure) -> [PlacedApp?] {
        try connection.readableRows(
            """
            SELECT \(App.columns), place FROM (SELECT \(App.columns), \(place) AS place FROM apps WHERE \(condition)) placed
            WHERE (place, id) > (?, ?) ORDER BY place, id LIMIT ?
            """, placeValues + values, as: PlacedApp.self, unreadable: note)
    }

    private func note(_ failure: Failure) { noteUnreadable(UnreadableRow(of: "apps", failure)) }
}

/// An app with its sort key.
private struct PlacedApp: RowReadable {
    let app: App
    let place: SQLValue

    init(row: inout SQLRow) throws(Failure) {
        app = try row.read()
        guard let place = row.remainingValues().first else { throw .corrupt("An app in a list has no position.") }
        self.place = place
    }
}
