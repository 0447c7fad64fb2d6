import QuickActions
import Shortcuts

extension Store {
    package func activity(of apps: [AppID], at now: Timestamp) throws(Failure) -> [AppID: AppActivity] {
        try database.read { connection throws(Failure) in try connection.activity(of: apps, at: now) }
    }
}

extension SQLConnection {
    /// - Parameter apps: nil for all.
    /// - Returns: only apps with activity.
    func activity(of apps: [AppID]?, at now: Timestamp) throws(Failure) -> [AppID: AppActivity] {
        var found: [AppID: AppActivity] = [:]
        for list in apps.map({ ValueList.lists(of: $0.map { SQLValue($0) }).map(Optional.some) }) ?? [nil] {
            let (condition, values) = list.map { (" AND app IN \($0.sql)", $0.values) } ?? ("", [])
            let since = now + .seconds(-24 * 3600 * AppActivity.days)
            let taps = """
                SELECT app, CAST(SUM(count) AS BIGINT), CAST(SUM(lost) AS BIGINT) FROM tap_days
                WHERE day > ?\(condition) GROUP BY app
                """
            for (app, count, lost) in try rows(
                taps, [SQLValue(since)] + values,
                { row throws(Failure) in
                    (try row.read(AppID.self), try row.integer(), try row.integer())
                })
            {
                (found[app, default: AppActivity()].taps, found[app, default: AppActivity()].lostTaps) = (count, lost)
            }
            let reviewed = "SELECT app, \(Draft.columns) FROM drafts WHERE review IS NOT NULL\(condition)"
            for (app, draft) in try rows(reviewed, values, { row throws(Failure) in (try row.read(AppID.self), try row.read(Draft.self)) })
            where draft.review.request != nil && draft.review.changes == nil {
                found[app, default: AppActivity()].drafts += 1
            }
            let ending = """
                SELECT app, COUNT(*) FROM schedule WHERE expected_revision IS NOT NULL AND due_at < ? AND quarantined_at IS NULL\(condition)
                GROUP BY app
                """
            for (app, count) in try rows(
                ending, [SQLValue(now + AppActivity.notice)] + values,
                { row throws(Failure) in
                    (try row.read(AppID.self), try row.read(Int.self))
                })
            { found[app, default: AppActivity()].campaigns = count }
        }
        let failing = """
            SELECT apps FROM endpoints WHERE apps IS NOT NULL
                AND (failing_since IS NOT NULL OR (enabled = 0 AND disabled_reason <> 'operator'))
            """
        for words in try rows(failing, [], { row throws(Failure) -> [AppID]? in try row.words() }) {
            for app in words ?? [] where apps?.contains(app) ?? true {
                found[app, default: AppActivity()].webhooks += 1
            }
        }
        return found
    }

    /// The apps after `key`. Apps that need attention are first. The rest of the order is: most taps first, then by id.
    func appsByAttention(
        behind key: [SQLValue], within scope: Scope, limit: Int, at now: Timestamp, unreadable: (Failure) -> Void
    ) throws(Failure) -> [AppListing.Entry?] {
        guard key.count == 2, case .integer(let place) = key[0], case .text(let id) = key[1] else { return [] }
        let (condition, values) = scope.condition(on: "id")
        let activity = try activity(of: nil, at: now)
        let apps = try readableRows("SELECT \(App.columns) FROM apps WHERE \(condition)", values, as: App.self, unreadable: unreadable)
        return apps.compactMap(\.self).map { (app: $0, place: activity[$0.id, default: AppActivity()].place) }
            .filter { ($0.place, $0.app.id.description) > (place, id) }
            .sorted { ($0.place, $0.app.id.description) < ($1.place, $1.app.id.description) }.prefix(limit)
            .map { AppListing.Entry(app: $0.app, key: [.integer($0.place), SQLValue($0.app.id)]) }
    }
}

extension AppActivity {
    /// Ascending in the order of the list.
    fileprivate var place: Int64 { -(needsAttention ? 1 << 60 : 0) - min(taps, 1 << 59) }
}
