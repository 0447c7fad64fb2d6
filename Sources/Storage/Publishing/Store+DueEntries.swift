import QuickActions
import Shortcuts

extension Store: ScheduleQueue {
    package func fireNextDue(at now: Timestamp) throws(Failure) -> FiredEntry? {
        // Most turns find nothing due, and need no transaction.
        guard let first = try database.read({ connection throws(Failure) in try connection.firstDue(at: now) }) else { return nil }
        // An entry that cannot be read fails in the transaction.
        let row = try? database.read { connection throws(Failure) in try connection.scheduleRow(first) }
        let expected = row.flatMap { row in row.entry.change.flatMap { expectedMenu(of: $0, in: row.app) } }
        var due: ScheduleKey?
        do throws(Failure) {
            return try writeMenu(expected) { transaction throws(Failure) in
                due = try transaction.connection.firstDue(at: now)
                guard let due, let row = try transaction.connection.scheduleRow(due) else { return nil }
                return try transaction.fire(row.entry, of: row.app, at: now)
            }
        } catch {
            guard error.code == .internalError, let due else { throw error }
            try quarantine(due, because: error, at: now)
            return .quarantined(due.id)
        }
    }

    private func quarantine(_ entry: ScheduleKey, because failure: Failure, at now: Timestamp) throws(Failure) {
        try write { transaction throws(Failure) in
            // The automatic revert is quarantined too: it would revert a publish that never happened.
            let marked = try transaction.connection.execute(
                "UPDATE schedule SET quarantined_at = ? WHERE app = ? AND (id = ? OR follows = ?)",
                [SQLValue(now)] + entry.values + [SQLValue(entry.id)])
            guard marked > 0 else { return }
            // Answers may be cached again.
            if let app = AppID(entry.app) { try transaction.renewStamp(of: app, telling: .schedule) }
            transaction.effects.notices.append(
                .quarantined(
                    QuarantinedEntry(
                        kind: .schedule, id: entry.id.description, app: entry.app, cause: failure.cause ?? failure.detail)))
        }
    }

    package func nextDue(after time: Timestamp) throws(Failure) -> Timestamp? {
        try database.read { connection throws(Failure) in
            try connection.first(
                "SELECT due_at FROM schedule WHERE due_at > ? ORDER BY due_at LIMIT 1", [SQLValue(time)], as: Timestamp.self)
        }
    }

    package func appsDue(after start: Timestamp, until end: Timestamp) throws(Failure) -> [AppID] {
        try database.read { connection throws(Failure) in
            try readable(
                "schedule", "SELECT DISTINCT app FROM schedule WHERE due_at > ? AND due_at <= ? AND quarantined_at IS NULL",
                [SQLValue(start), SQLValue(end)], as: AppID.self, on: connection
            ).compactMap { $0 }
        }
    }
}

extension Transaction {
    /// Runs the entry and removes it.
    mutating func fire(_ entry: ScheduleEntry, of app: AppID, at now: Timestamp) throws(Failure) -> FiredEntry {
        let current = try snapshot(of: app)?.ownTimeline(of: entry.audience).set(startingAt: entry.version)
        try remove(entry.id, of: app)
        do throws(Failure) {
            if case .from(let expected)? = entry.automaticRevert, current?.revision != expected {
                guard try handOver(entry, expecting: expected, of: app) else {
                    throw .superseded(entry, current: current?.revision, expected: expected)
                }
                return .handedOver(app, entry)
            }
            if let revision = try run(entry, on: current, of: app, at: now) { return .done(app, entry, revision: revision) }
            return .done(app, entry, revision: try publish(entry, replacing: current, of: app, at: now))
        } catch {
            switch error.code {
            case .invalidDocument, .idReused, .approvalMissing, .unknownResource, .conflict, .quotaExceeded: break
            // Any other failure comes from the store: the entry stays due.
            default: throw error
            }
            try fail(entry, error, of: app, at: now)
            return .failed(app, entry, error)
        }
    }

    /// Changes the share of a roll-out, or stops it.
    /// - Returns: the candidate's revision; nil for an entry that publishes.
    private mutating func run(
        _ entry: ScheduleEntry, on current: PublishedSet?, of app: AppID, at now: Timestamp
    ) throws(Failure) -> Int64? {
        guard case .rollout(let rollout, let step) = entry.action else { return nil }
        guard let candidate = current?.candidate, candidate.rollout == rollout else {
            throw .unknownCandidate(entry.version, entry.audience)
        }
        let (place, author) = (SetName(version: entry.version, audience: entry.audience), entry.author.later(now))
        switch step {
        case .share(let share):
            let running = try connection.rollout(of: candidate, in: app)
            try change(running, of: place, running.settings(raisedTo: share), in: app, by: author)
        case .stop: try end(candidate, of: place, .stopped, in: app, by: author, message: entry.message)
        case .promote: return nil
        }
        return candidate.revision
    }

    /// - Returns: the current revision after the publish.
    private mutating func publish(
        _ entry: ScheduleEntry, replacing current: PublishedSet?, of app: AppID, at now: Timestamp
    ) throws(Failure) -> Int64 {
        guard let change = entry.change else { throw .corrupt("The automatic revert \(entry.id) is due before its publish.") }
        let receipt = try publish(change, of: app, by: entry.author.later(now), isBounded: entry.automaticRevert == nil)
        switch (entry.action, entry.automaticRevert) {
        case (.publish(let draft, _), _):
            try recordApplied(draft, of: app)
            if receipt.isChange {
                try startReverts(after: entry, replacing: current, at: receipt.revision, of: app)
            } else {
                _ = try change.consent.require(by: try requireApp(app))
                // Nothing changed, so there is nothing to revert.
                try removeReverts(after: entry.id, of: app)
            }
        case (.restore(let content?), .from?):
            try updateReverts(of: entry, expecting: content.revision, to: receipt.revision, of: app)
        case (.restore, _), (.delete, _), (.rollout, _): break
        }
        return receipt.revision
    }

    /// The publish has run. Its automatic revert now knows which revision it restores and which one it expects.
    private func startReverts(
        after entry: ScheduleEntry, replacing current: PublishedSet?, at revision: Int64, of app: AppID
    ) throws(Failure) {
        try connection.enqueue(
            "UPDATE schedule SET kind = ?, revision = ?, expected_revision = ?, follows = NULL WHERE app = ? AND follows = ?",
            [
                .text((current == nil ? ScheduleEntry.Kind.delete : .restore).rawValue),
                (current?.revision).map { .integer($0) } ?? .null, .integer(revision), SQLValue(app), SQLValue(entry.id),
            ])
    }

    /// Revision `revision` now has the content of `previous`. Automatic reverts that expect `previous` expect `revision` from now on.
    private func updateReverts(
        of entry: ScheduleEntry, expecting previous: Int64, to revision: Int64, of app: AppID
    ) throws(Failure) {
        try connection.enqueue(
            """
            UPDATE schedule SET expected_revision = ?
            WHERE app = ? AND audience = ? AND position = ? AND expected_revision = ?
            """,
            [
                .integer(revision), SQLValue(app), SQLValue(entry.audience), .text(entry.version.position), .integer(previous),
            ])
    }

    /// Two campaigns may overlap: the first one ends while the second one's content is published, and the second one's automatic revert
    /// would restore the first one's content. That revert then restores what this entry was to restore.
    /// - Returns: false if there is no such automatic revert.
    private func handOver(_ entry: ScheduleEntry, expecting expected: Int64, of app: AppID) throws(Failure) -> Bool {
        try connection.execute(
            """
            UPDATE schedule SET kind = ?, revision = ?
            WHERE app = ? AND audience = ? AND position = ? AND kind = 'restore' AND revision = ? AND expected_revision IS NOT NULL
            """,
            [
                .text(entry.kind.rawValue), entry.revision.map { .integer($0) } ?? .null, SQLValue(app), SQLValue(entry.audience),
                .text(entry.version.position), .integer(expected),
            ]) > 0
    }

    /// Announces that the entry had no effect. The content of a scheduled publish becomes a draft again, unless there is another draft.
    private mutating func fail(
        _ entry: ScheduleEntry, _ failure: Failure, of app: AppID, at now: Timestamp
    ) throws(Failure) {
        if case .publish(let draft, _) = entry.action {
            try removeReverts(after: entry.id, of: app)
            if try connection.draft(draft.version, draft.audience, of: app) == nil { try connection.put(draft, of: app) }
        }
        effects.notices.append(.scheduleFailed(app, entry, failure))
        try announce(announcer.scheduleFailed(entry, failure, of: app, at: now))
    }
}

extension SQLConnection {
    fileprivate func firstDue(at now: Timestamp) throws(Failure) -> ScheduleKey? {
        try first(
            "SELECT app, id FROM schedule WHERE due_at <= ? AND quarantined_at IS NULL ORDER BY due_at, sequence LIMIT 1",
            [SQLValue(now)], as: ScheduleKey.self)
    }

    fileprivate func scheduleRow(_ key: ScheduleKey) throws(Failure) -> ScheduleRow? {
        try scheduleRows(where: "s.app = ? AND s.id = ?", key.values).first
    }
}

/// The key of an entry whose row may be unreadable.
private struct ScheduleKey: RowReadable {
    let app: String
    let id: ScheduleID

    init(row: inout SQLRow) throws(Failure) {
        (app, id) = (try row.read(), try row.read())
    }

    var values: [SQLValue] { [.text(app), SQLValue(id)] }
}
