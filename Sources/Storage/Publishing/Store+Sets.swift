import QuickActions
import Shortcuts

extension Store {
    private static let listing = Listing<(audience: Audience, set: PublishedSet)>(name: "sets", start: [.text(""), .text("")]) {
        [SQLValue($0.audience), .text($0.set.version.position)]
    }

    package func sets(
        of app: AppID, audience: Audience?, _ page: PageRequest
    ) throws(Failure) -> Page<(audience: Audience, set: PublishedSet)> {
        let condition = audience == nil ? "1 = 1" : "s.audience = ?"
        return try Self.listing.page(page) { key, limit throws(Failure) in
            try database.read { connection throws(Failure) in
                let candidates = try connection.candidates(of: app)
                return try connection.storedSets(
                    where: "s.app = ? AND (s.audience, s.position) > (?, ?) AND \(condition)", limit: limit,
                    [SQLValue(app)] + key + (audience.map { [SQLValue($0)] } ?? [])
                ).map { stored -> (audience: Audience, set: PublishedSet)? in
                    var stored = stored
                    do throws(Failure) {
                        var set = try stored.published()
                        set.candidate = candidates[SetName(version: set.version, audience: stored.audience)]
                        return (stored.audience, set)
                    } catch {
                        configuration.noteUnreadable(UnreadableRow(of: "revisions", error))
                        return nil
                    }
                }
            }
        }
    }

    package func set(_ version: AppVersion, _ audience: Audience, of app: AppID) throws(Failure) -> PublishedSet? {
        try database.read { connection throws(Failure) in
            try connection.publishedSets(
                where: "s.app = ? AND s.audience = ? AND s.position = ?", limit: 1,
                [SQLValue(app), SQLValue(audience), .text(version.position)]
            ).first?.set
        }
    }

    package func publish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> PublishReceipt {
        try writeMenu(expectedMenu(of: change, in: app)) { transaction throws(Failure) in
            try transaction.publish(change, of: app, by: author)
        }
    }

    /// The menu that a change will probably publish. Read before the transaction, so that its first attempt succeeds: a repetition loses
    /// its turn. Nil if a read fails; then the transaction says why.
    func expectedMenu(of change: SetChange, in app: AppID) -> MenuContent? {
        let known = (try? lastKnown(app)) ?? (try? snapshot(of: app))
        return known.flatMap { MenuContent(of: change, in: $0) }
    }
}

extension Transaction {
    /// - Parameters:
    ///   - isLogged: whether the write has its own audit entry.
    ///   - isBounded: whether the quota applies. It does not apply to the end of a campaign, which restores earlier content.
    mutating func publish(
        _ change: SetChange, of app: AppID, by author: Author, isLogged: Bool = true, isBounded: Bool = true
    ) throws(Failure) -> PublishReceipt {
        let connection = connection
        let type: EventType =
            switch change.action {
            case .delete: .deleted
            case .rollOut: .rolloutChanged
            case .publish, .patch, .promote: .published
            }
        // Everything that an unchanged app needs, in one round trip.
        let answers = try connection.rows(together: [
            App.stampQuery(app), ItemID.publishedQuery(in: change.audience, of: app), Endpoint.query(wanting: type, of: app),
        ])
        guard answers.count == 3, let stamp = try answers[0].first?.value(as: String.self),
            var stored = try connection.storedApp(app, under: stamp, snapshots, isCommitted: false)
        else { throw .unknownApp(app) }
        subscribers = (type, app, Endpoint.subscribers(in: answers[2], to: type, of: app, unreadable: noteUnreadable))
        let snapshot = try stored.snapshot()
        let plan = try Publication.plan(
            change, in: snapshot, revision: snapshot.lastRevision + 1,
            known: { ids throws(Failure) in
                try connection.publishedIDs(among: ids, in: change.audience, of: app, beginning: answers[1])
            }, by: author)
        switch plan {
        case .unchanged(let revision, let warnings):
            let place = SetName(version: change.version, audience: change.audience)
            if let candidate = snapshot.ownTimeline(of: place.audience).set(startingAt: place.version)?.candidate {
                try end(candidate, of: place, .stopped, in: app, by: author)
            }
            return PublishReceipt(revision: revision, warnings: warnings, isNew: false, isChange: false)
        case .change(let publication):
            if isBounded { try quota.require(stored.use(after: publication.revision), after: stored.use, of: app) }
            try apply(publication, in: snapshot, of: stored, by: author, isLogged: isLogged)
            if let until = change.until { try scheduleRevert(of: publication, at: until, of: app, by: author) }
            if let reason = publication.override, change.consent.announcesOverride {
                try announceOverride(
                    reason, of: change.version, change.audience, revision: publication.revision.number, of: app, by: author)
            }
            return PublishReceipt(
                revision: publication.revision.number, warnings: publication.warnings,
                isNew: publication.previous == nil, isChange: true)
        }
    }

    private mutating func apply(
        _ publication: Publication, in snapshot: AppSnapshot, of stored: StoredApp, by author: Author, isLogged: Bool
    ) throws(Failure) {
        let (app, revision) = (snapshot.app.id, publication.revision)
        if let candidate = publication.previous?.candidate {
            let name = SetName(version: revision.version, audience: revision.audience)
            try end(candidate, of: name, publication.isPromotion ? .promoted : .replaced, in: app, by: author)
        }
        if let settings = publication.settings { return try startRollout(publication, settings, in: snapshot, by: author) }
        let event = try publication.menu.map { menu throws(Failure) in
            announcer.published(revision, try rendered(menu), replacing: publication.previous, by: author)
        }
        try write(
            revision, of: app, announcing: event ?? announcer.deleted(revision, of: app, by: author), recording: publication.newIDs)
        tell(revision, in: snapshot)
        if isLogged {
            try log(
                AuditEntry(
                    author: author, action: publication.action, app: app,
                    version: AppBuild(revision.version), audience: revision.audience, revision: revision.number,
                    target: .set(revision.version, revision.audience, of: app),
                    detail: AuditDetail(reason: publication.override, message: revision.message)))
        }
        // The end of a roll-out has changed the schedule, too.
        let after = publication.previous?.candidate == nil ? stored.after(revision, in: snapshot) : nil
        try renewStamp(of: app, telling: nil, leaving: after)
    }

    /// Writes a revision with its event, and makes it current, or removes the set. The caller updates the stream and renews the app's
    /// stamp.
    /// - Parameter ids: those of its items that may not be recorded as published in the timeline.
    mutating func write(
        _ revision: Revision, of app: AppID, announcing event: Event, recording ids: [ItemID]
    ) throws(Failure) {
        try setLastRevision(revision.number, of: app)
        try connection.insert(revision, of: app)
        if revision.set == nil { try remove(revision, of: app) } else { try makeCurrent(revision, of: app) }
        try record(ids, in: revision.audience, of: app)
        try announce(event)
    }

    /// Sets the revision counter: numbers up to it are not given again.
    func setLastRevision(_ revision: Int64, of app: AppID) throws(Failure) {
        try connection.enqueue(
            """
            INSERT INTO revision_counters (app, last_revision) VALUES (?, ?)
            ON CONFLICT (app) DO UPDATE SET last_revision = excluded.last_revision
            """,
            [SQLValue(app), .integer(revision)])
    }

    /// Makes the revision the current set of its version and audience.
    func makeCurrent(_ revision: Revision, of app: AppID) throws(Failure) {
        try connection.enqueue(
            """
            INSERT INTO sets (app, audience, position, revision) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, audience, position) DO UPDATE SET revision = excluded.revision
            """,
            [SQLValue(app), SQLValue(revision.audience), .text(revision.version.position), .integer(revision.number)])
    }

    private func remove(_ revision: Revision, of app: AppID) throws(Failure) {
        try connection.enqueue(
            "DELETE FROM sets WHERE app = ? AND audience = ? AND position = ?",
            [SQLValue(app), SQLValue(revision.audience), .text(revision.version.position)])
    }

    /// Records ids of items as published in the timeline.
    func record(_ ids: [ItemID], in audience: Audience, of app: AppID) throws(Failure) {
        for id in ids {
            try connection.enqueue(
                "INSERT INTO item_ids (app, audience, id) VALUES (?, ?, ?) ON CONFLICT (app, audience, id) DO NOTHING",
                [SQLValue(app), SQLValue(audience), SQLValue(id)])
        }
    }
}

/// The maximum number of a timeline's ids that are read to check a set.
private let mostPublishedIDs = 5000

extension SQLConnection {
    fileprivate func publishedSets(
        where condition: String, limit: Int, _ values: [SQLValue]
    ) throws(Failure) -> [(audience: Audience, set: PublishedSet)] {
        try storedSets(where: condition, limit: limit, values).map { stored throws(Failure) in
            var stored = stored
            return (stored.audience, try stored.published())
        }
    }

    /// Ascending by audience and version.
    fileprivate func storedSets(
        where condition: String, limit: Int, _ values: [SQLValue]
    ) throws(Failure) -> [StoredApp.StoredSet] {
        let (sql, values) = StoredApp.StoredSet.query(where: condition, limit: limit, values)
        return try rows(sql, values, as: StoredApp.StoredSet.self)
    }

    /// The sets with these headers. Only documents that are not known are read.
    func sets(
        of app: AppID, _ headers: [StoredApp.StoredSet.Header], _ known: [StoredApp.StoredSet.Identity: StoredApp.StoredSet]
    ) throws(Failure) -> [StoredApp.StoredSet] {
        var all = known
        let new = headers.map(\.identity).filter { known[$0] == nil }
        for list in ValueList.lists(of: new.map { .integer($0.revision) }) {
            let read = try storedSets(where: "s.app = ? AND s.revision IN \(list.sql)", limit: .max, [SQLValue(app)] + list.values)
            for set in read { all[set.identity] = set }
        }
        return try headers.map { header throws(Failure) in
            guard let set = all[header.identity] else { throw .corrupt("Revision \(header.identity.revision) of \(app) has no document.") }
            return set
        }
    }

    /// Zero before the first revision.
    func lastRevision(of app: AppID) throws(Failure) -> Int64 {
        let (sql, values) = Revision.lastQuery(app)
        return try first(sql, values, as: Int64.self) ?? 0
    }

    /// See `AppReader.publishedIDs`.
    func publishedIDs(among ids: Set<ItemID>, in audience: Audience, of app: AppID) throws(Failure) -> Set<ItemID> {
        let (sql, values) = ItemID.publishedQuery(in: audience, of: app)
        return try publishedIDs(among: ids, in: audience, of: app, beginning: try rows(sql, values) { row throws(Failure) in row })
    }

    /// - Parameter first: the answer to `ItemID.publishedQuery`.
    fileprivate func publishedIDs(
        among ids: Set<ItemID>, in audience: Audience, of app: AppID, beginning first: [SQLRow]
    ) throws(Failure) -> Set<ItemID> {
        let found = Set(try first.map { row throws(Failure) in try row.value(as: ItemID.self) })
        guard found.count == mostPublishedIDs, !ids.isEmpty else { return found }
        return found.union(
            try rows(
                "SELECT id FROM item_ids WHERE app = ? AND audience = ? AND id IN (\(placeholders(ids.count)))",
                [SQLValue(app), SQLValue(audience)] + ids.map { SQLValue($0) }, as: ItemID.self))
    }
}

extension ItemID {
    /// The first ids that were ever published in a timeline.
    fileprivate static func publishedQuery(in audience: Audience, of app: AppID) -> SQLQuery {
        (
            "SELECT id FROM item_ids WHERE app = ? AND audience = ? ORDER BY id LIMIT ?",
            [SQLValue(app), SQLValue(audience), SQLValue(mostPublishedIDs)]
        )
    }
}

extension StoredApp.StoredSet {
    /// The sets of an app.
    static func query(_ app: AppID) -> SQLQuery { query(where: "s.app = ?", limit: .max, [SQLValue(app)]) }

    /// The sets of an app without their documents.
    static func headersQuery(_ app: AppID) -> SQLQuery { query(Header.columns, where: "s.app = ?", limit: .max, [SQLValue(app)]) }

    /// Ascending by audience and version.
    fileprivate static func query(
        _ columns: String = Header.columns + ", r.document", where condition: String, limit: Int, _ values: [SQLValue]
    ) -> SQLQuery {
        (
            """
            SELECT \(columns)
            FROM sets s JOIN revisions r ON r.app = s.app AND r.number = s.revision
            WHERE \(condition) ORDER BY s.audience, s.position LIMIT ?
            """, values + [SQLValue(limit)]
        )
    }
}

extension StoredApp.StoredSet.Header {
    fileprivate static let columns = "s.audience, r.version, r.number, r.published_at, r.published_by"
}

extension Revision {
    /// The last number that was given for an app.
    static func lastQuery(_ app: AppID) -> SQLQuery {
        ("SELECT last_revision FROM revision_counters WHERE app = ?", [SQLValue(app)])
    }
}
