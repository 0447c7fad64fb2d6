import QuickActions
import Shortcuts

extension Store {
    package func ranking(of app: AppID, _ period: TapPeriod) throws(Failure) -> TapRanking {
        let (sql, values) = Self.source(of: app, TapQuery(period, by: [.day]))
        return try database.read { connection throws(Failure) in
            let top = try connection.rows(
                "SELECT item FROM \(sql) WHERE item <> '' GROUP BY item ORDER BY SUM(count) DESC, item LIMIT ?",
                values + [SQLValue(TapRanking.maxItems)], as: ItemID.self)
            var items = Dictionary(top.map { ($0, TapRanking.Item($0)) }, uniquingKeysWith: { first, _ in first })
            var other: Int64 = 0
            let counts = """
                SELECT item, version, outcome, day, CAST(SUM(count) AS BIGINT) FROM \(sql) GROUP BY item, version, outcome, day
                """
            for row in try connection.rows(counts, values, as: RankedTaps.self) {
                guard let id = row.item, items[id] != nil else {
                    other += row.count
                    continue
                }
                items[id]?.outcomes[row.outcome, default: 0] += row.count
                items[id]?.days[row.day, default: 0] += row.count
                if let version = row.version { items[id]?.versions[version, default: 0] += row.count }
            }
            return TapRanking(period, items: top.compactMap { items[$0] }, other: other)
        }
    }
}

/// The columns item, version, outcome, day, and the count.
private struct RankedTaps: RowReadable {
    let item: ItemID?
    let version: AppVersion?
    let outcome: TapOutcome
    let day: Timestamp
    let count: Int64

    init(row: inout SQLRow) throws(Failure) {
        (item, version, outcome) = (ItemID(try row.text()), AppVersion(try row.text()), try row.read())
        (day, count) = (try row.read(), try row.integer())
    }
}
