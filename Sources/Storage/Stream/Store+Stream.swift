import QuickActions
import Shortcuts

extension Store: StreamStore {
    package func streamPosition() throws(Failure) -> StreamPosition {
        try database.read { connection throws(Failure) in
            guard let last = try connection.first(StreamPosition.last.sql, [], as: StreamPosition.self) else { throw .emptyJournal }
            return last
        }
    }

    package func streamEntries(after position: StreamPosition, limit: Int) throws(Failure) -> [StreamEntry]? {
        try database.read { connection throws(Failure) in
            let answers = try connection.rows(together: [
                StreamPosition.known(position), StreamEntry.query(after: position, of: nil, limit: limit),
            ])
            guard answers.count == 2, !answers[0].isEmpty else { return nil }
            return readable(answers[1])
        }
    }

    /// Skips entries that cannot be read.
    private func readable(_ rows: [SQLRow]) -> [StreamEntry] {
        rows.compactMap { row in
            row.readable(as: StreamEntry.self) { configuration.noteUnreadable(UnreadableRow(of: "stream_journal", $0)) }
        }
    }

    package func streamBeginning(
        of apps: [AppID], after position: StreamPosition?, limit: Int
    ) throws(Failure) -> StreamBeginning {
        try database.read { connection throws(Failure) in
            var queries: [SQLQuery] = [StreamPosition.last, AppRevision.query(apps)]
            if let position {
                queries += [StreamPosition.known(position), StreamEntry.query(after: position, of: apps, limit: limit + 1)]
            }
            let answers = try connection.rows(together: queries)
            guard answers.count == queries.count, let last = try answers[0].first?.value(as: StreamPosition.self) else {
                throw .emptyJournal
            }
            let revisions = try answers[1].map { row throws(Failure) in try row.value(as: AppRevision.self) }
            var missed: [StreamEntry]?
            if position != nil, !answers[2].isEmpty, answers[3].count <= limit {
                missed = readable(answers[3]).compacted
            }
            return StreamBeginning(
                last: last, revisions: Dictionary(revisions.map { ($0.app, $0.last) }, uniquingKeysWith: { first, _ in first }),
                missed: missed)
        }
    }
}

extension Failure {
    fileprivate static var emptyJournal: Failure { .corrupt("The journal of the stream has no row.") }
}

extension StreamPosition: RowReadable {
    static let last: SQLQuery = ("SELECT number, tag FROM stream_journal ORDER BY number DESC LIMIT 1", [])

    /// One row if the journal has the position.
    static func known(_ position: StreamPosition) -> SQLQuery {
        ("SELECT 1 FROM stream_journal WHERE number = ? AND tag = ?", [.integer(position.number), .text(position.tag)])
    }

    package init(row: inout SQLRow) throws(Failure) {
        self.init(number: try row.read(), tag: try row.read())
    }
}

extension StreamEntry: RowReadable {
    /// - Parameter apps: nil for all.
    static func query(after position: StreamPosition, of apps: [AppID]?, limit: Int) -> SQLQuery {
        let list = ValueList((apps ?? []).map { SQLValue($0) })
        let condition = apps == nil ? "app IS NOT NULL" : "app IN \(list.sql)"
        return (
            """
            SELECT number, tag, app, revision, audience, first_version, end_version FROM stream_journal
            WHERE number > ? AND \(condition) ORDER BY number LIMIT ?
            """, [.integer(position.number)] + (apps == nil ? [] : list.values) + [SQLValue(limit)]
        )
    }

    package init(row: inout SQLRow) throws(Failure) {
        let (position, app) = (try row.read(StreamPosition.self), try row.read(AppID.self))
        let (revision, audience) = (try row.read(Int64?.self), try row.read(Audience?.self))
        let (from, until) = (try row.read(AppVersion?.self), try row.read(AppVersion?.self))
        let change: Change =
            switch (revision, audience, from) {
            case (let revision?, let audience?, let from?): .set(revision: revision, audience, from: from, until: until)
            case (let revision?, _, _): .app(revision: revision)
            case (nil, _, _): .deletion
            }
        self.init(position: position, app: app, change: change)
    }
}

/// An app that exists, and the last revision that was given for it.
private struct AppRevision: RowReadable {
    let app: AppID
    let last: Int64

    static func query(_ apps: [AppID]) -> SQLQuery {
        let list = ValueList(apps.map { SQLValue($0) })
        return (
            """
            SELECT a.id, COALESCE(c.last_revision, 0) FROM apps a LEFT JOIN revision_counters c ON c.app = a.id
            WHERE a.id IN \(list.sql)
            """, list.values
        )
    }

    init(row: inout SQLRow) throws(Failure) {
        (app, last) = (try row.read(), try row.read())
    }
}

extension SQLConnection {
    /// Of the `limit` oldest rows, deletes those that are older than `time` or not among the newest `kept`.
    func removeStreamEntries(before time: Timestamp, kept: Int, limit: Int) throws(Failure) -> Int {
        try execute(
            """
            DELETE FROM stream_journal WHERE number IN
                (SELECT number FROM (SELECT number, at FROM stream_journal ORDER BY number LIMIT ?) AS oldest
                 WHERE (at < ? OR number <= (SELECT MAX(number) FROM stream_journal) - ?)
                 AND number < (SELECT MAX(number) FROM stream_journal))
            """, [SQLValue(limit), SQLValue(time), SQLValue(kept)])
    }
}

/// A change of an app for the live stream. Every renewal of an app's stamp reports one (`Transaction.renewStamp`).
enum StreamedChange: Equatable {
    /// A set was published or deleted. `until` is the version of the next set.
    case set(revision: Int64, Audience, from: AppVersion, until: AppVersion?)
    /// The app or a release changed.
    case app
    case deletion
    /// Not sent: the answers are the same, and only the time for which they may be cached differs.
    case schedule
}

extension StreamedChange {
    /// - Parameter snapshot: the app before or after the revision.
    init(_ revision: Revision, in snapshot: AppSnapshot) {
        let range = snapshot.ownTimeline(of: revision.audience).range(from: revision.version)
        self = .set(revision: revision.number, revision.audience, from: range.from, until: range.until)
    }
}

extension Transaction {
    /// Records a change that the stream reports after the commit.
    mutating func tell(_ change: StreamedChange, of app: AppID) {
        // One row for the app covers any number of changes to its releases.
        guard change != .schedule, change != .app || !effects.streamed.contains(where: { $0.app == app && $0.change == .app }) else {
            return
        }
        effects.streamed.append((app, change))
    }

    /// Records a publish or a deletion. An audience's first publish, and the deletion of its last set, change the timeline for all of its
    /// versions, so the whole app is reported.
    /// - Parameter snapshot: the app before the revision.
    mutating func tell(_ revision: Revision, in snapshot: AppSnapshot) {
        let app = snapshot.app.id
        tell(StreamedChange(revision, in: snapshot), of: app)
        guard revision.audience != .default, snapshot.timelines[.default] != nil else { return }
        let changesTimeline =
            (snapshot.timelines[revision.audience] == nil) != (snapshot.after(revision).timelines[revision.audience] == nil)
        if changesTimeline { tell(.app, of: app) }
    }

    /// Writes the recorded changes to the journal. Called once, at the end of the transaction.
    /// - Returns: the tag of the last row; nil if there is none.
    func writeJournal() throws(Failure) -> String? {
        var last: String?
        for (app, change) in effects.streamed {
            let tag = String(identifiers().suffix(8))
            try connection.append(change, of: app, tag: tag, at: clock.now())
            last = tag
        }
        return last
    }
}

extension SQLConnection {
    /// Writers are serialized, and the newest row is never pruned, so numbers follow the commits without gaps.
    fileprivate func append(_ change: StreamedChange, of app: AppID, tag: String, at time: Timestamp) throws(Failure) {
        let row: [SQLValue] = [.text(tag), SQLValue(time), SQLValue(app)]
        switch change {
        case .set(let revision, let audience, let from, let until):
            try enqueue(
                """
                INSERT INTO stream_journal (number, tag, at, app, revision, audience, first_version, end_version)
                SELECT MAX(number) + 1, ?, ?, ?, ?, ?, ?, ? FROM stream_journal
                """, row + [.integer(revision), SQLValue(audience), SQLValue(from), SQLValue(until)])
        case .app:
            try enqueue(
                """
                INSERT INTO stream_journal (number, tag, at, app, revision)
                SELECT MAX(number) + 1, ?, ?, ?, COALESCE((SELECT last_revision FROM revision_counters WHERE app = ?), 0) FROM stream_journal
                """, row + [SQLValue(app)])
        case .deletion:
            try enqueue("INSERT INTO stream_journal (number, tag, at, app) SELECT MAX(number) + 1, ?, ?, ? FROM stream_journal", row)
        case .schedule: break
        }
    }
}
