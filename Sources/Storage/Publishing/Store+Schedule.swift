import QuickActions
import SQL
import Shortcuts

extension Store: ScheduleStore {
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
            let draft = try transaction.requireDraft(change, of: app)
            guard let snapshot = try transaction.snapshot(of: app) else { throw .unknownApp(app) }
            let standing = snapshot.standing(change)
            try change.requireBase(standing)
            try draft.set.requireTitles(in: snapshot.app.defaultLanguage)
            try change.writeCondition.matching(draft.tag).require(standing)
            _ = try transaction.warnings(of: draft.set, change, of: app)
            let reason = try Consent.approvals(draft.consents, override: override).require(by: snapshot.app)
            let entry = ScheduleEntry(
                id: transaction.freshScheduleID, version: change.version, audience: change.audience, at: time,
                action: .publish(draft, override: reason), wayBack: nil, author: author)
            try transaction.schedule(entry, of: app)
            if let until {
                try transaction.schedule(entry.wayBack(at: until, id: transaction.freshScheduleID, from: standing), of: app)
            }
            try transaction.delete(draft, of: app)
            if let reason { try transaction.announceOverride(reason, of: change.version, change.audience, of: app, by: author) }
            try transaction.log(change, .draftScheduled, of: app, by: author, target: .schedule(entry), AuditDetail(reason: reason))
            return entry
        }
    }

    package func scheduleRestore(
        of revision: Int64, at time: Timestamp, expecting writeCondition: WriteCondition, of app: AppID, by author: Author
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
                action: .restore(ScheduleEntry.Content(revision: revision, set: set)), wayBack: nil, author: author)
            try transaction.schedule(entry, of: app)
            try transaction.log(entry, .restoreScheduled, of: app, by: author)
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
            try transaction.removeWaysBack(after: id, of: app)
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
    mutating func scheduleWayBack(of publication: Publication, at time: Timestamp, of app: AppID, by author: Author) throws(Failure) {
        let revision = publication.revision
        try schedule(
            ScheduleEntry(
                id: freshScheduleID, version: revision.version, audience: revision.audience, at: time,
                action: publication.previous.map { .restore(ScheduleEntry.Content(revision: $0.revision, set: $0.set)) } ?? .delete,
                wayBack: .from(revision: revision.number), author: author), of: app)
    }

    mutating func remove(_ entry: ScheduleID, of app: AppID) throws(Failure) {
        try connection.enqueue("DELETE FROM schedule WHERE app = ? AND id = ?", [SQLValue(app), SQLValue(entry)])
        try renewStamp(of: app, telling: .schedule)
    }

    /// Removes the automatic revert of a publish that will not happen.
    mutating func removeWaysBack(after entry: ScheduleID, of app: AppID) throws(Failure) {
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
        _ entry: ScheduleEntry, _ action: AuditEntry.Action, of app: AppID, by author: Author
    ) throws(Failure) {
        try log(
            AuditEntry(
                author: author, action: action, app: app, version: AppBuild(entry.version), audience: entry.audience,
                revision: entry.revision, target: .schedule(entry)))
    }
}

extension ScheduleEntry {
    /// The automatic revert of this publish, which is still scheduled.
    /// - Parameter standing: the current set. When the publish runs, the set that is current then is used instead.
    fileprivate func wayBack(at time: Timestamp, id: ScheduleID, from standing: PublishedSet?) -> ScheduleEntry {
        ScheduleEntry(
            id: id, version: version, audience: audience, at: time, action: standing == nil ? .delete : .restore(nil),
            wayBack: .after(self.id), author: author)
    }
}
