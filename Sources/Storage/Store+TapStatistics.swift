import QuickActions
import Shortcuts

extension Store {
    private static let maxKindsListed = 1000

    package func taps(of app: AppID, _ query: TapQuery) throws(Failure) -> TapStatistics {
        let (sql, values) = Self.source(of: app, query)
        let totals = """
            CAST(SUM(CASE WHEN counted = 'resolved' THEN count ELSE 0 END) AS BIGINT),
            CAST(SUM(CASE WHEN counted = 'reported' THEN count ELSE 0 END) AS BIGINT)
            """
        return try database.read { connection throws(Failure) in
            let outcomes = try connection.rows("SELECT outcome, \(totals) FROM \(sql) GROUP BY outcome", values) { row throws(Failure) in
                (try row.read(TapOutcome.self), try row.read(TapTotals.self))
            }
            let rows = try connection.rows(
                """
                SELECT item, tag_version, version, outcome, audience, revision, day, \(totals), SUM(count) AS total FROM \(sql)
                GROUP BY item, tag_version, version, outcome, audience, revision, day
                ORDER BY total DESC, item, tag_version, version, outcome, audience, revision, day LIMIT ?
                """, values + [SQLValue(Self.maxKindsListed)], as: TapRow.self)
            var buckets: [Timestamp: TapStatistics.Outcomes]?
            if let length = query.bucket {
                let hours = try connection.rows(
                    """
                    SELECT hour - hour % \(length.milliseconds) AS bucket, outcome, \(totals) FROM \(sql) GROUP BY bucket, outcome
                    """, values
                ) { row throws(Failure) in (try row.read(Timestamp.self), try row.read(TapOutcome.self), try row.read(TapTotals.self)) }
                buckets = Dictionary(grouping: hours, by: \.0).mapValues { counts in
                    Dictionary(uniqueKeysWithValues: counts.map { ($0.1, $0.2) })
                }
            }
            return TapStatistics(query, outcomes: Dictionary(uniqueKeysWithValues: outcomes), rows: rows, buckets: buckets)
        }
    }

    /// The counts of both tables, as a table for FROM. A dimension that the query does not name is empty. Rows of `tap_counts` are from
    /// before migration 20, or from an older program: the service has counted those taps.
    static func source(of app: AppID, _ query: TapQuery) -> (sql: String, values: [SQLValue]) {
        let condition = "app = ? AND hour >= ? AND hour < ?"
        let values = [SQLValue(app), SQLValue(query.period.since), .integer(query.period.until?.milliseconds ?? .max)]
        let day = query.dimensions.contains(.day) ? "hour - hour % \(TapBucketLength.day.milliseconds)" : "CAST(0 AS BIGINT)"
        let audience = query.dimensions.contains(.audience) ? "audience" : "''"
        let revision = query.dimensions.contains(.revision) ? "revision" : "CAST(0 AS BIGINT)"
        let sql = """
            (SELECT hour, item, tag_version, version, outcome, count, \(day) AS day, 'resolved' AS counted, '' AS audience,
                CAST(0 AS BIGINT) AS revision FROM tap_counts WHERE \(condition)
            UNION ALL
            SELECT hour, item, tag_version, version, outcome, count, \(day), counted, \(audience), \(revision)
            FROM tap_tallies WHERE \(condition)) AS taps
            """
        return (sql, values + values)
    }
}

/// The columns item, tag_version, version, outcome, audience, revision, day, and the totals.
extension TapRow: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            item: ItemID(try row.text()), tagVersion: AppVersion(try row.text()), version: AppVersion(try row.text()),
            outcome: try row.read(), audience: Audience(try row.text()), revision: try row.positive(),
            day: try row.positive().map { Timestamp(milliseconds: $0) }, totals: try row.read())
    }
}

extension TapTotals: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(resolved: try row.integer(), reported: try row.integer())
    }
}

extension SQLRow {
    /// Nil for 0.
    mutating func positive() throws(Failure) -> Int64? {
        let value = try integer()
        return value == 0 ? nil : value
    }
}
