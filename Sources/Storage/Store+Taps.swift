import QuickActions
import SQL
import Shortcuts

extension Store: TapStore {
    /// Distinct kinds counted per app and hour; further kinds are counted together, which bounds the table whatever clients send.
    static let maxKindsPerHour = 1000
    private static let maxKindsListed = 1000

    package func add(_ counts: [HourlyTaps: Int]) throws(Failure) {
        try write { transaction throws(Failure) in
            let connection = transaction.connection
            for (app, counts) in Dictionary(grouping: counts, by: \.key.kind.app) {
                guard try connection.app(app) != nil else { continue }
                let published = try connection.published(Set(counts.compactMap { $0.key.kind.item }), of: app)
                for (taps, count) in counts {
                    let isKnown = taps.kind.isKnown || taps.kind.item.map(published.contains) ?? true
                    try connection.add(count, to: isKnown ? taps : taps.overflow)
                }
            }
        }
    }

    package func taps(of app: AppID, since time: Timestamp) throws(Failure) -> TapStatistics {
        let since = time.hour
        return try database.read { connection throws(Failure) in
            let outcomes = try connection.rows(
                "SELECT outcome, SUM(count) FROM tap_counts WHERE app = ? AND hour >= ? GROUP BY outcome",
                [SQLValue(app), SQLValue(since)], as: Counted<TapOutcome>.self)
            let kinds = try connection.rows(
                """
                SELECT app, item, tag_version, version, outcome, SUM(count) AS total FROM tap_counts WHERE app = ? AND hour >= ?
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
        for id in ids
        where try first("SELECT 1 FROM item_ids WHERE app = ? AND id = ? LIMIT 1", [SQLValue(app), SQLValue(id)], as: Int.self) != nil {
            published.insert(id)
        }
        return published
    }

    fileprivate func add(_ count: Int, to taps: HourlyTaps) throws(Failure) {
        if try raise(taps, by: count) { return }
        let kinds = try first(
            "SELECT COUNT(*) FROM tap_counts WHERE app = ? AND hour = ?", [SQLValue(taps.kind.app), SQLValue(taps.hour)],
            as: Int.self)
        let isFull = (kinds ?? 0) >= Store.maxKindsPerHour
        let counted = isFull ? taps.overflow : taps
        if isFull, try raise(counted, by: count) { return }
        try execute(
            """
            INSERT INTO tap_counts (count, app, hour, item, tag_version, version, outcome) VALUES (?, ?, ?, ?, ?, ?, ?)
            """, [SQLValue(count)] + counted.key)
    }

    /// - Returns: whether the kind has a row.
    private func raise(_ taps: HourlyTaps, by count: Int) throws(Failure) -> Bool {
        try execute(
            """
            UPDATE tap_counts SET count = count + ?
            WHERE app = ? AND hour = ? AND item = ? AND tag_version = ? AND version = ? AND outcome = ?
            """, [SQLValue(count)] + taps.key) > 0
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
}

/// The columns app, item, tag_version, version, outcome; an empty text stands for none.
extension TapKind: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            app: try row.read(), item: ItemID(try row.text()), tagVersion: AppVersion(try row.text()),
            version: AppVersion(try row.text()), outcome: try row.read())
    }
}
