import QuickActions
import Shortcuts

extension Store: TapStore {
    /// The number of distinct kinds that are counted per app and hour. Further kinds are counted together, which bounds the table whatever
    /// clients send.
    static let maxKindsPerHour = 1000
    private static let maxKindsListed = 1000

    /// The number of versions that are counted per app and day beside those of its sets, for an app without releases. Further versions are
    /// counted together.
    static let maxOtherVersionsPerDay = 20

    package func add(_ batch: TapBatch) throws(Failure) {
        // Several nodes count at once. All of them write apps and rows in the same order, which prevents deadlocks.
        try database.writeUnsynced(.free) { connection throws(Failure) in
            guard try connection.begin(batch, at: clock.now()) else { return }
            for (app, counts) in Dictionary(grouping: batch.counts, by: \.key.kind.app).sorted(by: { $0.key < $1.key }) {
                guard try connection.app(app) != nil else { continue }
                let published = try connection.published(Set(counts.compactMap { $0.key.kind.item }), of: app)
                var known: [HourlyTaps: Int] = [:]
                for (taps, count) in counts {
                    let isKnown = taps.kind.isKnown || taps.kind.item.map(published.contains) ?? true
                    known[isKnown ? taps : taps.overflow, default: 0] += count
                }
                try connection.add(try connection.namingVersions(in: known, of: app))
            }
        }
    }

    package func taps(of app: AppID, in period: TapPeriod, by length: TapBucketLength?) throws(Failure) -> TapStatistics {
        let condition = "app = ? AND hour >= ? AND hour < ?"
        let values = [SQLValue(app), SQLValue(period.since), .integer(period.until?.milliseconds ?? .max)]
        return try database.read { connection throws(Failure) in
            let outcomes = try connection.rows(
                "SELECT outcome, CAST(SUM(count) AS BIGINT) FROM tap_counts WHERE \(condition) GROUP BY outcome", values,
                as: Counted<TapOutcome>.self)
            let kinds = try connection.rows(
                """
                SELECT app, item, tag_version, version, outcome, CAST(SUM(count) AS BIGINT) AS total FROM tap_counts WHERE \(condition)
                GROUP BY app, item, tag_version, version, outcome
                ORDER BY total DESC, item, tag_version, version, outcome LIMIT ?
                """, values + [SQLValue(Self.maxKindsListed)], as: Counted<TapKind>.self)
            var buckets: [Timestamp: TapStatistics.Outcomes]?
            if let length {
                let hours = try connection.rows(
                    """
                    SELECT hour - hour % \(length.milliseconds) AS bucket, outcome, CAST(SUM(count) AS BIGINT) FROM tap_counts
                    WHERE \(condition) GROUP BY bucket, outcome
                    """, values
                ) { row throws(Failure) in (try row.read(Timestamp.self), try row.read(TapOutcome.self), try row.integer()) }
                buckets = Dictionary(grouping: hours, by: \.0).mapValues { counts in
                    Dictionary(counts.map { ($0.1, $0.2) }, uniquingKeysWith: +)
                }
            }
            return TapStatistics(
                period: period, outcomes: Dictionary(uniqueKeysWithValues: outcomes.map { ($0.value, $0.count) }),
                kinds: kinds.map { ($0.value, $0.count) }, buckets: buckets)
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

    /// The progress of a process is stored for much longer than it can repeat a batch.
    func removeTapWriters(before time: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            "DELETE FROM tap_writers WHERE id IN (SELECT id FROM tap_writers WHERE at < ? LIMIT ?)", [SQLValue(time), SQLValue(limit)])
    }

    /// - Returns: false if the batch was already counted, because the answer to its commit was lost.
    fileprivate func begin(_ batch: TapBatch, at time: Timestamp) throws(Failure) -> Bool {
        try execute(
            """
            INSERT INTO tap_writers (id, batch, at) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, at = excluded.at WHERE tap_writers.batch < excluded.batch
            """, [.text(batch.writer), .integer(batch.number), SQLValue(time)]) > 0
    }

    /// Versions are client input, too. For an app without releases, the first other versions of each day are counted beside those of its
    /// sets.
    fileprivate func namingVersions(in counts: [HourlyTaps: Int], of app: AppID) throws(Failure) -> [HourlyTaps: Int] {
        let releases = try rows("SELECT DISTINCT version FROM releases WHERE app = ?", [SQLValue(app)], as: AppVersion.self)
        let sets = try rows(
            "SELECT DISTINCT r.version FROM sets s JOIN revisions r ON r.app = s.app AND r.number = s.revision WHERE s.app = ?",
            [SQLValue(app)], as: AppVersion.self)
        let known = Set(releases + sets)
        var named: [HourlyTaps: Int] = [:]
        for (day, counts) in Dictionary(grouping: counts, by: { $0.key.hour.day }) {
            let others = releases.isEmpty ? try otherVersions(in: counts.map(\.key.kind), than: known, of: app, on: day) : []
            for (taps, count) in counts {
                named[HourlyTaps(taps.kind.naming(known.union(others)), at: taps.hour), default: 0] += count
            }
        }
        return named
    }

    /// The versions of the day that are counted although no release or set has them.
    private func otherVersions(
        in kinds: [TapKind], than known: Set<AppVersion>, of app: AppID, on day: Timestamp
    ) throws(Failure) -> Set<AppVersion> {
        let given = Set(kinds.flatMap { [$0.version, $0.tagVersion] }.compactMap(\.self)).subtracting(known)
        guard !given.isEmpty else { return [] }
        let range = [SQLValue(app), SQLValue(day), SQLValue(day + .milliseconds(TapBucketLength.day.milliseconds))]
        let counted = try rows(
            """
            SELECT version FROM tap_counts WHERE app = ? AND hour >= ? AND hour < ? AND version <> ''
            UNION SELECT tag_version FROM tap_counts WHERE app = ? AND hour >= ? AND hour < ? AND tag_version <> ''
            """, range + range, as: AppVersion.self)
        let others = Set(counted).subtracting(known)
        return others.union(given.subtracting(others).sorted().prefix(max(0, Store.maxOtherVersionsPerDay - others.count)))
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

/// The columns app, item, tag_version, version, outcome. An empty text stands for nil.
extension TapKind: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            app: try row.read(), item: ItemID(try row.text()), tagVersion: AppVersion(try row.text()),
            version: AppVersion(try row.text()), outcome: try row.read())
    }
}
