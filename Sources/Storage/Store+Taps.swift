import QuickActions
import Shortcuts

extension Store: TapStore {
    /// The number of distinct kinds that are counted per app, hour and `TapCounting`: so many with their audience and revision, and so many
    /// without. Further kinds are counted together, which bounds the table whatever clients send.
    static let maxKindsPerHour = 1000

    /// The number of versions that are counted per app and day beside those of its sets, for an app without releases. Further versions are
    /// counted together.
    static let maxOtherVersionsPerDay = 20

    package func add(_ batch: TapBatch) throws(Failure) {
        let byApp = Dictionary(grouping: batch.counts, by: \.key.kind.app).sorted(by: { $0.key < $1.key })
        var running: [AppID: [RolloutID: PublishedSet]] = [:]
        for (app, counts) in byApp where counts.contains(where: { $0.key.kind.choice != nil }) {
            running[app] = try snapshot(of: app)?.runningRollouts
        }
        // Several nodes count at once. All of them write apps and rows in the same order, which prevents deadlocks.
        try database.writeUnsynced(.free) { connection throws(Failure) in
            guard try connection.begin(batch, at: clock.now()) else { return }
            for (app, counts) in byApp {
                guard try connection.app(app) != nil else { continue }
                let published = try connection.published(Set(counts.compactMap { $0.key.kind.item }), of: app)
                var known: [HourlyTaps: Int] = [:]
                for (taps, count) in counts {
                    let isKnown = taps.kind.isKnown || taps.kind.item.map(published.contains) ?? true
                    known[isKnown ? taps : taps.overflow, default: 0] += count
                }
                try connection.add(try connection.namingVersions(in: known, of: app, known: try connection.knownVersions(of: app)))
                try connection.add(counts, of: app, in: running[app] ?? [:])
            }
        }
        for (app, rollouts) in running { try stopGuarded(rollouts.mapValues { $0.candidate?.guard }, in: app) }
    }
}

extension Store: TapReportStore {
    package func add(_ report: TapReport, atMost limit: Int) throws(Failure) -> TapReport.Progress {
        let now = clock.now()
        let progress = try database.writeUnsynced(.free) { connection throws(Failure) in
            guard try connection.app(report.app) != nil else { throw .unknownApp(named: report.app.description) }
            guard let counted = try connection.begin(report, at: now) else { return TapReport.Progress(added: 0, left: 0) }
            let counts = report.counts(after: counted, atMost: limit)
            let added = counts.values.reduce(0, +)
            let left = max(0, report.total - counted - added)
            try connection.setProgress(of: report, to: left == 0 ? nil : counted + added)
            let published = try connection.published(Set(counts.keys.compactMap(\.item)).subtracting(report.mentionedIDs), of: report.app)
            let known = report.mentionedIDs.union(published)
            var hourly: [HourlyTaps: Int] = [:]
            for (kind, count) in counts {
                let isKnown = kind.item.map(known.contains) ?? true
                hourly[HourlyTaps(isKnown ? kind : kind.withoutItem, at: now), default: 0] += count
            }
            let versions = (report.knownVersions, countsOthers: !report.hasReleases)
            try connection.add(try connection.namingVersions(in: hourly, of: report.app, known: versions))
            try connection.add(counts.map { (HourlyTaps($0.key, at: now), $0.value) }, of: report.app, in: report.runningRollouts)
            return TapReport.Progress(added: added, left: left)
        }
        try stopGuarded(report.runningRollouts.mapValues { $0.candidate?.guard }, in: report.app)
        return progress
    }

    package func isCounted(_ report: TapReport) throws(Failure) -> Bool {
        try database.read { connection throws(Failure) in
            try connection.first(
                "SELECT COUNT(*) FROM tap_batches WHERE app = ? AND id = ? AND counted IS NULL", report.key, as: Int64.self) == 1
        }
    }
}

extension SQLConnection {
    func removeTaps(before time: Timestamp, limit: Int) throws(Failure) -> Int {
        let key = "app, hour, counted, audience, revision, item, tag_version, version, outcome"
        return try execute(
            "DELETE FROM tap_tallies WHERE (\(key)) IN (SELECT \(key) FROM tap_tallies WHERE hour < ? LIMIT ?)",
            [SQLValue(time), SQLValue(limit)])
    }

    /// Removes rows of the table that older programs write.
    func removeEarlierTaps(before time: Timestamp, limit: Int) throws(Failure) -> Int {
        let key = "app, hour, item, tag_version, version, outcome"
        return try execute(
            "DELETE FROM tap_counts WHERE (\(key)) IN (SELECT \(key) FROM tap_counts WHERE hour < ? LIMIT ?)",
            [SQLValue(time), SQLValue(limit)])
    }

    func removeTapDays(before time: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            "DELETE FROM tap_days WHERE (app, day) IN (SELECT app, day FROM tap_days WHERE day < ? LIMIT ?)",
            [SQLValue(time), SQLValue(limit)])
    }

    func removeTapBatches(before time: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            "DELETE FROM tap_batches WHERE (app, id) IN (SELECT app, id FROM tap_batches WHERE at < ? LIMIT ?)",
            [SQLValue(time), SQLValue(limit)])
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

    /// Locks the batch until the end of the transaction, so that another node that has the same batch waits.
    /// - Returns: how many of its taps are counted already; nil if all are.
    fileprivate func begin(_ report: TapReport, at time: Timestamp) throws(Failure) -> Int? {
        let isOpen =
            try execute(
                """
                INSERT INTO tap_batches (app, id, counted, at) VALUES (?, ?, 0, ?)
                ON CONFLICT (app, id) DO UPDATE SET at = excluded.at WHERE tap_batches.counted IS NOT NULL
                """, report.key + [SQLValue(time)]) > 0
        guard isOpen else { return nil }
        return try first("SELECT counted FROM tap_batches WHERE app = ? AND id = ?", report.key, as: Int.self)
    }

    fileprivate func setProgress(of report: TapReport, to counted: Int?) throws(Failure) {
        try enqueue(
            "UPDATE tap_batches SET counted = ? WHERE app = ? AND id = ?", [counted.map { SQLValue($0) } ?? .null] + report.key)
    }

    /// The versions of the app's releases and sets, and whether other versions are counted separately.
    fileprivate func knownVersions(of app: AppID) throws(Failure) -> (Set<AppVersion>, countsOthers: Bool) {
        let releases = try rows("SELECT DISTINCT version FROM releases WHERE app = ?", [SQLValue(app)], as: AppVersion.self)
        let sets = try rows(
            "SELECT DISTINCT r.version FROM sets s JOIN revisions r ON r.app = s.app AND r.number = s.revision WHERE s.app = ?",
            [SQLValue(app)], as: AppVersion.self)
        return (Set(releases + sets), releases.isEmpty)
    }

    /// Versions are client input, too. For an app without releases, the first other versions of each day are counted beside those of its
    /// sets.
    fileprivate func namingVersions(
        in counts: [HourlyTaps: Int], of app: AppID, known: (Set<AppVersion>, countsOthers: Bool)
    ) throws(Failure) -> [HourlyTaps: Int] {
        let (known, countsOthers) = known
        var named: [HourlyTaps: Int] = [:]
        for (day, counts) in Dictionary(grouping: counts, by: { $0.key.hour.day }) {
            let others = countsOthers ? try otherVersions(in: counts.map(\.key.kind), than: known, of: app, on: day) : []
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
            SELECT version FROM tap_tallies WHERE app = ? AND hour >= ? AND hour < ? AND version <> ''
            UNION SELECT tag_version FROM tap_tallies WHERE app = ? AND hour >= ? AND hour < ? AND tag_version <> ''
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
        let counts = Dictionary(counts.map { ($0.key.withoutChoice, $0.value) }, uniquingKeysWith: +)
        var rows: [HourlyTaps: Int] = [:]
        for counts in Dictionary(grouping: counts, by: { HourlyKinds($0.key) }).values {
            guard let first = counts.first?.key else { continue }
            var kinds = try kinds(beside: first, adding: counts.count)
            for (taps, count) in counts { rows[HourlyTaps(kinds.admit(taps.kind), at: taps.hour), default: 0] += count }
        }
        try executeEach(
            """
            INSERT INTO tap_tallies (app, hour, counted, audience, revision, item, tag_version, version, outcome, count)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, hour, counted, audience, revision, item, tag_version, version, outcome)
            DO UPDATE SET count = tap_tallies.count + excluded.count
            """,
            rows.sorted { $0.key.order < $1.key.order }.map { $0.key.key + [SQLValue($0.value)] })
        try addToDays(rows)
    }

    /// Adds the taps of one app to its days, from which the list of apps is read.
    private func addToDays(_ rows: [HourlyTaps: Int]) throws(Failure) {
        guard let app = rows.first?.key.kind.app else { return }
        var days: [Timestamp: (count: Int, lost: Int)] = [:]
        for (taps, count) in rows {
            days[taps.hour.day, default: (0, 0)].count += count
            if taps.kind.outcome == .removed { days[taps.hour.day, default: (0, 0)].lost += count }
        }
        try executeEach(
            """
            INSERT INTO tap_days (app, day, count, lost) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, day) DO UPDATE SET count = tap_days.count + excluded.count, lost = tap_days.lost + excluded.lost
            """,
            days.sorted { $0.key < $1.key }.map { [SQLValue(app), SQLValue($0.key), SQLValue($0.value.count), SQLValue($0.value.lost)] })
    }

    /// The kinds that are counted in the same hour. The number is enough while no limit is near, and costs less.
    private func kinds(beside taps: HourlyTaps, adding count: Int) throws(Failure) -> AdmittedKinds {
        let condition = "app = ? AND hour = ? AND counted = ?"
        let values = [SQLValue(taps.kind.app), SQLValue(taps.hour), .text(taps.kind.counting.rawValue)]
        let number = try first("SELECT COUNT(*) FROM tap_tallies WHERE \(condition)", values, as: Int.self) ?? 0
        guard number + count > Store.maxKindsPerHour else { return AdmittedKinds(all: true, []) }
        return AdmittedKinds(
            all: false,
            try rows(
                "SELECT app, counted, audience, revision, item, tag_version, version, outcome FROM tap_tallies WHERE \(condition)", values,
                as: TapKind.self))
    }
}

/// What the limit of kinds applies to.
private struct HourlyKinds: Hashable {
    let hour: Timestamp
    let counting: TapCounting

    init(_ taps: HourlyTaps) {
        (hour, counting) = (taps.hour, taps.kind.counting)
    }
}

/// The kinds of one hour that are counted separately.
private struct AdmittedKinds {
    private let admitsAll: Bool
    private var kinds: Set<TapKind>
    private var detailed: Int

    init(all: Bool, _ kinds: [TapKind]) {
        admitsAll = all
        self.kinds = Set(kinds)
        detailed = kinds.count { $0.audience != nil }
    }

    /// - Returns: the kind itself, or a coarser one if an hour has too many kinds.
    mutating func admit(_ kind: TapKind) -> TapKind {
        if admitsAll || kinds.contains(kind) { return kind }
        if kind.audience != nil {
            guard detailed >= Store.maxKindsPerHour else {
                detailed += 1
                kinds.insert(kind)
                return kind
            }
            return admit(kind.withoutAudienceAndRevision)
        }
        let admitted = kinds.count - detailed < Store.maxKindsPerHour ? kind : kind.overflow
        kinds.insert(admitted)
        return admitted
    }
}

extension TapReport {
    /// The columns app and id of `tap_batches`.
    fileprivate var key: [SQLValue] { [SQLValue(app), .blob(id.bytes)] }
}

extension HourlyTaps {
    /// The columns app, hour, counted, audience, revision, item, tag_version, version, outcome.
    fileprivate var key: [SQLValue] {
        [
            SQLValue(kind.app), SQLValue(hour), .text(kind.counting.rawValue), .text(kind.audience?.description ?? ""),
            .integer(kind.revision ?? 0), .text(kind.item?.description ?? ""), .text(kind.tagVersion?.description ?? ""),
            .text(kind.version?.description ?? ""), .text(kind.outcome.rawValue),
        ]
    }

    /// Any total order of the kinds and hours of one app.
    fileprivate var order: String {
        """
        \(hour.milliseconds) \(kind.counting) \(kind.audience?.description ?? "") \(kind.revision ?? 0) \(kind.item?.description ?? "") \
        \(kind.tagVersion?.description ?? "") \(kind.version?.description ?? "") \(kind.outcome)
        """
    }
}

/// The columns app, counted, audience, revision, item, tag_version, version, outcome. Nil is stored as an empty text or as 0.
extension TapKind: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            app: try row.read(), counting: try row.read(), audience: Audience(try row.text()), revision: try row.positive(),
            item: ItemID(try row.text()), tagVersion: AppVersion(try row.text()), version: AppVersion(try row.text()),
            outcome: try row.read())
    }
}
