import QuickActions
import SQL
import Shortcuts

extension Store: TapStore {
    /// Distinct kinds counted per app and hour; further kinds are counted together, which bounds the table whatever clients send.
    static let maxKindsPerHour = 1000
    private static let maxKindsListed = 1000

    package func add(_ counts: [HourlyTaps: Int]) throws(Failure) {
        // Several nodes count at once: apps and rows are written in one order, so that none waits for another in a circle.
        try database.writeUnsynced(.free) { connection throws(Failure) in
            for (app, counts) in Dictionary(grouping: counts, by: \.key.kind.app).sorted(by: { $0.key < $1.key }) {
                guard try connection.app(app) != nil else { continue }
                let published = try connection.published(Set(counts.compactMap { $0.key.kind.item }), of: app)
                var known: [HourlyTaps: Int] = [:]
                for (taps, count) in counts {
                    let isKnown = taps.kind.isKnown || taps.kind.item.map(published.contains) ?? true
                    known[isKnown ? taps : taps.overflow, default: 0] += count
                }
                try connection.add(known)
            }
        }
    }

    package func taps(of app: AppID, since time: Timestamp) throws(Failure) -> TapStatistics {
        let since = time.hour
        return try database.read { connection throws(Failure) in
            let outcomes = try connection.rows(
                "SELECT outcome, CAST(SUM(count) AS BIGINT) FROM tap_counts WHERE app = ? AND hour >= ? GROUP BY outcome",
                [SQLValue(app), SQLValue(since)], as: Counted<TapOutcome>.self)
            let kinds = try connection.rows(
                """
                SELECT app, item, tag_version, version, outcome, CAST(SUM(count) AS BIGINT) AS total FROM tap_counts WHERE app = ? AND hour >= ?
                GROUP BY app, item, tag_version, version, outcome
                ORDER BY total DESC, item, tag_version, version, outcome LIMIT ?
                """, [SQLValue(app), SQLValue(since), SQLValue(Self.maxKindsListed)], as: Counted<TapKind>.self)
            return TapStatistics(
                since: since, outcomes: Dictionary(uniqueKeysWithValues: outcomes.map { ($0.value, $0.count) }),
                kinds: kinds.map { ($0.value, $0.count) })
        }
    }
}

extension SQLConnection {
    func removeTaps(before time: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            """
            DELETE FROM tap_counts WHERE (app, hour, item, tag_version, version, outcome) IN
                (SELECT app, hour, item, tag_version, version, outcome FROM tap_counts WHERE hour < ? LIMIT ?)
            """, [SQLValue(time), SQLValue(limit)])
    }

    /// The ids that were ever published, for any audience.
    fileprivate func published(_ ids: Set<ItemID>, of app: AppID) throws(Failure) -> Set<ItemID> {
        var published: Set<ItemID> = []
        for list in ValueList.lists(of: ids.map { SQLValue($0) }) {
            published.formUnion(
                try rows(
                    "SELECT id FROM item_ids WHERE app = ? AND id IN \(list.sql)", [SQLValue(app)] + list.values, as: ItemID.self))
        }
        return published
    }

    /// Adds the taps of one app.
    fileprivate func add(_ counts: [HourlyTaps: Int]) throws(Failure) {
        var rows: [HourlyTaps: Int] = [:]
        for (hour, counts) in Dictionary(grouping: counts, by: \.key.hour) {
            guard let app = counts.first?.key.kind.app else { continue }
            var kinds = Set(
                try self.rows(
                    "SELECT app, item, tag_version, version, outcome FROM tap_counts WHERE app = ? AND hour = ?",
                    [SQLValue(app), SQLValue(hour)], as: TapKind.self))
            for (taps, count) in counts {
                let isCounted = kinds.contains(taps.kind) || kinds.count < Store.maxKindsPerHour
                let counted = isCounted ? taps : taps.overflow
                kinds.insert(counted.kind)
                rows[counted, default: 0] += count
            }
        }
        try executeEach(
            """
            INSERT INTO tap_counts (app, hour, item, tag_version, version, outcome, count) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, hour, item, tag_version, version, outcome) DO UPDATE SET count = tap_counts.count + excluded.count
            """,
            rows.sorted { $0.key.order < $1.key.order }.map { $0.key.key + [SQLValue($0.value)] })
    }
}

extension HourlyTaps {
    /// The columns app, hour, item, tag_version, version, outcome.
    fileprivate var key: [SQLValue] {
        [
            SQLValue(kind.app), SQLValue(hour), .text(kind.item?.description ?? ""), .text(kind.tagVersion?.description ?? ""),
            .text(kind.version?.description ?? ""), .text(kind.outcome.rawValue),
        ]
    }

    /// Any total order of the kinds and hours of one app.
    fileprivate var order: String {
        "\(hour.milliseconds) \(kind.item?.description ?? "") \(kind.tagVersion?.description ?? "") \(kind.version?.description ?? "") \(kind.outcome)"
    }
}

/// The columns app, item, tag_version, version, outcome; an empty text stands for none.
extension TapKind: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            app: try row.read(), item: ItemID(try row.text()), tagVersion: AppVersion(try row.text()),
            version: AppVersion(try row.text()), outcome: try row.read())
    }
}
