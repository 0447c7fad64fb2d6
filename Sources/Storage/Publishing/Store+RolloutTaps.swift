import QuickActions
import Shortcuts

extension Store {
    package func rolloutResult(of place: SetName, startedBy revision: Int64?, in app: AppID) throws(Failure) -> RolloutResult {
        try database.read { connection throws(Failure) in
            guard let rollout = try connection.rollout(of: place, startedBy: revision, in: app) else {
                guard try connection.app(app) != nil else { throw .unknownApp(app) }
                if let revision { throw .unknownRollout(revision, of: place) }
                throw .unknownCandidate(place.version, place.audience)
            }
            return RolloutResult(of: rollout, try connection.taps(in: rollout.id, of: app))
        }
    }

    package func runningRollouts() throws(Failure) -> Int {
        try database.read { connection throws(Failure) in
            try connection.first("SELECT COUNT(*) FROM rollouts WHERE ended_at IS NULL", [], as: Int.self) ?? 0
        }
    }

    /// Stops the roll-outs whose guards say so. Every node reads the same counts, and the first one stops a roll-out.
    func stopGuarded(_ guards: [RolloutID: RolloutGuard?], in app: AppID) throws(Failure) {
        for case (let id, let rolloutGuard?) in guards {
            let taps = try database.read { connection throws(Failure) in FirstTaps(try connection.firstTaps(in: id, of: app)) }
            guard let reason = rolloutGuard.reason(toStop: taps) else { continue }
            try write { transaction throws(Failure) in
                guard let (name, candidate) = try transaction.snapshot(of: app)?.candidates.first(where: { $0.candidate.rollout == id }),
                    candidate.guard == rolloutGuard
                else { return }
                try transaction.end(
                    candidate, of: name, reason, in: app, by: .service(at: clock.now()), figures: taps.figures(for: reason))
                transaction.effects.notices.append(.rolloutStopped(app, name, reason))
            }
        }
    }
}

extension SQLConnection {
    /// Adds the taps in the running roll-outs of an app.
    func add(_ counts: [(HourlyTaps, Int)], of app: AppID, in running: [RolloutID: PublishedSet]) throws(Failure) {
        var taps: [RolloutTaps: Int] = [:]
        for (kind, count) in counts {
            if let kind = RolloutTaps(kind, in: running) { taps[kind, default: 0] += count }
        }
        // A roll-out may have ended meanwhile.
        try executeEach(
            """
            INSERT INTO rollout_taps (app, rollout, hour, arm, threshold, item, outcome, count)
            SELECT app, id, ?, ?, ?, ?, ?, ? FROM rollouts WHERE app = ? AND id = ? AND ended_at IS NULL
            ON CONFLICT (app, rollout, hour, arm, threshold, item, outcome) DO UPDATE SET count = rollout_taps.count + excluded.count
            """,
            taps.sorted { $0.key.order < $1.key.order }.map {
                $0.key.values + [SQLValue($0.value), SQLValue(app), SQLValue($0.key.choice.rollout)]
            })
    }

    func removeRollouts(endedBefore time: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            "DELETE FROM rollouts WHERE (app, id) IN (SELECT app, id FROM rollouts WHERE ended_at < ? LIMIT ?)",
            [SQLValue(time), SQLValue(limit)])
    }
}

extension SQLConnection {
    /// Without a revision: the running roll-out, or the last one if none runs.
    fileprivate func rollout(of place: SetName, startedBy revision: Int64?, in app: AppID) throws(Failure) -> RolloutRecord? {
        try first(
            """
            SELECT id, threshold, revision, started_at, ended_at, ending, ended_by, guard_lost, guard_worse FROM rollouts
            WHERE app = ? AND audience = ? AND position = ?\(revision == nil ? "" : " AND revision = ?")
            ORDER BY COALESCE(ended_at, \(Int64.max)) DESC, revision DESC LIMIT 1
            """,
            [SQLValue(app), SQLValue(place.audience), .text(place.version.position)] + (revision.map { [.integer($0)] } ?? []),
            as: RolloutRecord.self)
    }

    fileprivate func taps(in rollout: RolloutID, of app: AppID) throws(Failure) -> [RolloutTaps: Int] {
        try taps("SELECT hour, arm, threshold, item, outcome, count FROM rollout_taps WHERE app = ? AND rollout = ?", rollout, app)
    }

    /// The sums over time.
    fileprivate func firstTaps(in rollout: RolloutID, of app: AppID) throws(Failure) -> [RolloutTaps: Int] {
        try taps(
            """
            SELECT CAST(0 AS BIGINT), arm, threshold, '', outcome, CAST(SUM(count) AS BIGINT) FROM rollout_taps
            WHERE app = ? AND rollout = ? AND threshold >= 0 GROUP BY arm, threshold, outcome
            """, rollout, app)
    }

    private func taps(_ sql: String, _ rollout: RolloutID, _ app: AppID) throws(Failure) -> [RolloutTaps: Int] {
        let rows = try rows(sql, [SQLValue(app), SQLValue(rollout)]) { row throws(Failure) in
            let (hour, arm, share): (Timestamp, RolloutArm, Int64) = (try row.read(), try row.read(), try row.integer())
            return (
                RolloutTaps(
                    choice: RolloutChoice(rollout: rollout, arm: arm, share: RolloutShare(threshold: Int(share))), hour: hour,
                    item: ItemID(try row.text()), outcome: try row.read()),
                Int(try row.integer())
            )
        }
        return Dictionary(rows, uniquingKeysWith: +)
    }
}

extension RolloutArm: TextColumn {}
extension RolloutEnd: TextColumn {}

extension RolloutRecord: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        let (id, share, revision): (RolloutID, RolloutShare, Int64) = (try row.read(), try row.share(), try row.integer())
        let (startedAt, endedAt, how): (Timestamp, Timestamp?, RolloutEnd?) = (try row.read(), try row.read(), try row.read())
        let by = try row.read(String?.self)
        self.init(
            id: id, share: share, revision: revision, startedAt: startedAt, end: endedAt.flatMap { at in how.map { (at, $0, by) } },
            guard: RolloutGuard(lost: try row.limit(), worse: try row.limit()))
    }
}

extension RolloutTaps {
    /// The columns hour, arm, threshold, item, outcome.
    fileprivate var values: [SQLValue] {
        [
            SQLValue(hour), .text(choice.arm.rawValue), SQLValue(choice.share?.threshold ?? -1), .text(item?.description ?? ""),
            .text(outcome.rawValue),
        ]
    }

    /// Any total order of the kinds of one app.
    fileprivate var order: String {
        "\(choice.rollout) \(hour.milliseconds) \(choice.arm) \(choice.share?.threshold ?? -1) \(item?.description ?? "") \(outcome)"
    }
}
