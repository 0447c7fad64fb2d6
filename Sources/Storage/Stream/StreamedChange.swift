import QuickActions
import SQL
import Shortcuts

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
        let next = snapshot.ownTimeline(of: revision.audience).sets.first { $0.version > revision.version }
        self = .set(revision: revision.number, revision.audience, from: revision.version, until: next?.version)
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
        let changesTimeline =
            (snapshot.timelines[revision.audience] == nil) != (snapshot.after(revision).timelines[revision.audience] == nil)
        if changesTimeline, revision.audience != .default, snapshot.timelines[.default] != nil { tell(.app, of: app) }
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
