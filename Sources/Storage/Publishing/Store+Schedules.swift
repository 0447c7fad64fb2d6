import QuickActions
import SQL
import Shortcuts

extension Store: ScheduleStore {
    package func publishNextDue(at now: Timestamp) throws(Failure) -> DuePublish? {
        try write { transaction throws(Failure) in
            guard let due = try transaction.connection.firstDue(at: now) else { return nil }
            let change = SetChange(
                version: due.draft.version, audience: due.draft.audience, action: .publish(due.draft.set),
                writeCondition: .none)
            do throws(Failure) {
                let receipt = try transaction.publish(change, of: due.app, by: due.author(at: now))
                try transaction.delete(due.draft, of: due.app)
                return .published(due.app, due.draft, revision: receipt.revision)
            } catch {
                // Any other failure is of the store: the draft stays due.
                guard error.code == .invalidDocument || error.code == .idReused else { throw error }
                try transaction.unschedule(due, error, at: now)
                return .failed(due.app, due.draft, error)
            }
        }
    }

    package func nextPublish(after time: Timestamp) throws(Failure) -> Timestamp? {
        try database.read { connection throws(Failure) in
            try connection.first(
                "SELECT publish_at FROM drafts WHERE publish_at > ? ORDER BY publish_at LIMIT 1", [SQLValue(time)],
                as: Timestamp.self)
        }
    }

    package func appsPublishing(until time: Timestamp) throws(Failure) -> [AppID] {
        try database.read { connection throws(Failure) in
            try connection.rows("SELECT DISTINCT app FROM drafts WHERE publish_at <= ?", [SQLValue(time)], as: AppID.self)
        }
    }
}

/// A draft that is due, and the author who scheduled it.
private struct DueDraft: RowReadable {
    let app: AppID
    private let (token, address, request): (String, String, String)
    let draft: Draft

    static let columns = "app, scheduled_by, scheduled_from, scheduled_request, \(Draft.columns)"

    init(row: inout SQLRow) throws(Failure) {
        app = try row.read()
        (token, address, request) = (try row.read(), try row.read(), try row.read())
        draft = try row.read()
    }

    func author(at now: Timestamp) -> Author {
        Author(token: token, address: address, request: request, at: now)
    }
}

extension Transaction {
    /// Keeps the draft without its schedule, after a publish that was refused and has written nothing.
    fileprivate mutating func unschedule(_ due: DueDraft, _ failure: Failure, at now: Timestamp) throws(Failure) {
        try connection.enqueue(
            """
            UPDATE drafts SET publish_at = NULL, schedule_order = NULL, scheduled_by = NULL, scheduled_from = NULL,
                scheduled_request = NULL
            WHERE app = ? AND audience = ? AND position = ?
            """,
            [SQLValue(due.app), SQLValue(due.draft.audience), .text(due.draft.version.position)])
        try renewStamp(of: due.app, telling: .schedule)
        effects.notices.append(.scheduleFailed(due.app, due.draft, failure, by: due.author(at: now)))
        guard let schedule = due.draft.schedule else { return }
        try announce(announcer.scheduleFailed(due.draft, schedule, failure, of: due.app, at: now))
    }
}

extension SQLConnection {
    func schedule(_ draft: Draft, at time: Timestamp, of app: AppID, by author: Author) throws(Failure) {
        try enqueue(
            """
            UPDATE drafts SET publish_at = ?, scheduled_by = ?, scheduled_from = ?, scheduled_request = ?,
                schedule_order = (SELECT COALESCE(MAX(schedule_order), 0) + 1 FROM drafts)
            WHERE app = ? AND audience = ? AND position = ?
            """,
            [
                SQLValue(time), .text(author.token), .text(author.address), .text(author.request), SQLValue(app),
                SQLValue(draft.audience), .text(draft.version.position),
            ])
    }

    fileprivate func firstDue(at now: Timestamp) throws(Failure) -> DueDraft? {
        try first(
            "SELECT \(DueDraft.columns) FROM drafts WHERE publish_at <= ? ORDER BY publish_at, schedule_order LIMIT 1",
            [SQLValue(now)], as: DueDraft.self)
    }
}

extension Draft {
    /// When the next draft of the app is due.
    static func nextPublishQuery(_ app: AppID) -> SQLQuery {
        ("SELECT publish_at FROM drafts WHERE app = ? AND publish_at IS NOT NULL ORDER BY publish_at LIMIT 1", [SQLValue(app)])
    }
}
