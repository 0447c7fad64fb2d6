import QuickActions
import SQL
import Shortcuts

/// What the live stream tells of a change of an app. Whoever gives an app another stamp says it (`Transaction.renewStamp`).
enum StreamedChange: Equatable {
    /// A set was published or deleted; the next set's version is where its stretch ends.
    case set(revision: Int64, Audience, from: AppVersion, until: AppVersion?)
    /// The app or a release.
    case app
    case deletion
    /// Nothing: the answers are the same, only for how long they may be kept is not.
    case schedule
}

extension StreamedChange {
    /// - Parameter snapshot: the app before or after the revision.
    init(_ revision: Revision, in snapshot: AppSnapshot) {
        let next = snapshot.ownTimeline(of: revision.audience).sets.first { $0.version > revision.version }
        self = .set(revision: revision.number, revision.audience, from: revision.version, until: next?.version)
    }
}

extension Transaction {
    /// Notes what the stream tells of an app once the transaction is committed.
    mutating func tell(_ change: StreamedChange, of app: AppID) {
        // One row for the app says as much as one for each of its releases.
        guard change != .schedule, change != .app || !effects.streamed.contains(where: { $0.app == app && $0.change == .app }) else {
            return
        }
        effects.streamed.append((app, change))
    }

    /// Notes a publish or a deletion. With an audience's first set, and without its last one, all of its versions are answered from
    /// another timeline, so that the stretch of the set does not say enough.
    /// - Parameter snapshot: the app before the revision.
    mutating func tell(_ revision: Revision, in snapshot: AppSnapshot) {
        let app = snapshot.app.id
        tell(StreamedChange(revision, in: snapshot), of: app)
        let changesTimeline =
            (snapshot.timelines[revision.audience] == nil) != (snapshot.after(revision).timelines[revision.audience] == nil)
        if changesTimeline, revision.audience != .default, snapshot.timelines[.default] != nil { tell(.app, of: app) }
    }

    /// Writes what was noted into the journal. Called once, at the end of the transaction.
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
    /// Writers are serialized, and the newest row is never pruned: numbers follow the commits and have no gaps.
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
