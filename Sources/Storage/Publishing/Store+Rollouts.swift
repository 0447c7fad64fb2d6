import QuickActions
import Shortcuts

extension Store {
    package func rollout(of place: SetName, in app: AppID) throws(Failure) -> RunningRollout {
        guard let snapshot = try snapshot(of: app) else { throw .unknownApp(app) }
        let candidate = try snapshot.requireCandidate(of: place)
        return try database.read { connection throws(Failure) in try connection.rollout(of: candidate, in: app) }
    }

    package func changeRollout(
        of place: SetName, in app: AppID, _ patch: CandidatePatch, expecting writeCondition: WriteCondition, by author: Author
    ) throws(Failure) -> RunningRollout {
        let changed = try write { transaction throws(Failure) in
            let candidate = try transaction.requireCandidate(of: place, in: app, expecting: writeCondition)
            let rollout = try transaction.connection.rollout(of: candidate, in: app)
            return try transaction.change(rollout, of: place, try patch.settings(of: rollout, now: author.at), in: app, by: author)
        }
        // The counts may already exceed a new limit.
        try stopGuarded([changed.candidate.rollout: changed.candidate.guard], in: app)
        return changed
    }

    package func stopRollout(
        of place: SetName, in app: AppID, expecting writeCondition: WriteCondition, message: RevisionMessage?, by author: Author
    ) throws(Failure) -> RunningRollout {
        try write { transaction throws(Failure) in
            let candidate = try transaction.requireCandidate(of: place, in: app, expecting: writeCondition)
            try transaction.end(candidate, of: place, .stopped, in: app, by: author, message: message)
            return RunningRollout(candidate)
        }
    }

    package func scheduleRolloutEnd(
        of place: SetName, in app: AppID, _ kind: ScheduleEntry.Kind, at time: Timestamp, expecting writeCondition: WriteCondition,
        message: RevisionMessage?, by author: Author
    ) throws(Failure) -> ScheduleEntry {
        try write { transaction throws(Failure) in
            let candidate = try transaction.requireCandidate(of: place, in: app, expecting: writeCondition)
            let step: RolloutStep = kind == .stop ? .stop : .promote(candidate.content)
            let entry = transaction.entry(step, for: candidate, of: place, at: time, message: message, by: author)
            try transaction.schedule(entry, of: app)
            try transaction.log(
                .rolloutScheduled, candidate, of: place, in: app, by: author, AuditDetail(message: message, after: entry.step),
                target: .schedule(entry))
            return entry
        }
    }
}

extension Transaction {
    /// Writes the candidate's revision, and starts its roll-out.
    mutating func startRollout(
        _ publication: Publication, _ settings: RolloutSettings, in snapshot: AppSnapshot, by author: Author
    ) throws(Failure) {
        var revision = publication.revision
        guard let set = revision.set else { throw .corrupt("A candidate has no content.") }
        let (app, place) = (snapshot.app.id, SetName(version: revision.version, audience: revision.audience))
        let candidate = Candidate(
            rollout: RolloutID(identifiers()), share: settings.share, guard: settings.guard, revision: revision.number,
            startedAt: author.at, by: author.token, set: set)
        revision.rollout = candidate.rollout
        try setLastRevision(revision.number, of: app)
        try connection.insert(revision, of: app)
        try connection.insert([place: candidate], of: app)
        try record(publication.newIDs, in: place.audience, of: app)
        try announce(announcer.rolloutChanged(candidate, of: place, of: app, by: author))
        try schedule(settings.steps ?? [], for: candidate, of: place, in: app, by: author)
        try log(
            .rolloutStarted, candidate, of: place, in: app, by: author,
            AuditDetail(
                reason: publication.override, message: revision.message,
                after: try connection.rollout(of: candidate, in: app).settings))
        try renewStamp(of: app)
    }

    /// Takes over the candidates of an archive. Roll-outs that it does not have end.
    mutating func insert(
        _ candidates: [SetName: Candidate], replacing current: [(name: SetName, candidate: Candidate)], of app: AppID, by author: Author
    ) throws(Failure) {
        var kept: [SetName: JSON] = [:]
        for (place, candidate) in current {
            if candidates[place]?.rollout == candidate.rollout {
                kept[place] = RunningRollout(candidate).settings
            } else {
                try end(candidate, of: place, .replaced, in: app, by: author)
            }
        }
        try connection.insert(candidates, of: app)
        for (place, candidate) in candidates.sorted(by: { $0.key < $1.key }) {
            let (before, after) = (kept[place], RunningRollout(candidate).settings)
            guard before?.encoded != after.encoded else { continue }
            try announce(announcer.rolloutChanged(candidate, of: place, of: app, by: author))
            try log(
                before == nil ? .rolloutStarted : .rolloutChanged, candidate, of: place, in: app, by: author,
                AuditDetail(from: before, to: after))
        }
    }

    /// - Returns: the roll-out afterwards.
    @discardableResult
    mutating func change(
        _ before: RunningRollout, of place: SetName, _ settings: RolloutSettings, in app: AppID, by author: Author
    ) throws(Failure) -> RunningRollout {
        var candidate = before.candidate
        (candidate.share, candidate.guard) = (settings.share, settings.guard)
        if let steps = settings.steps {
            for step in before.schedule where step.kind == .share { try remove(step.id, of: app) }
            try schedule(steps, for: candidate, of: place, in: app, by: author)
        }
        try connection.enqueue(
            "UPDATE rollouts SET threshold = ?, shares = ?, guard_lost = ?, guard_worse = ? WHERE app = ? AND id = ?",
            candidate.settings + [SQLValue(app), SQLValue(candidate.rollout)])
        let after = try connection.rollout(of: candidate, in: app)
        guard after.settings.encoded != before.settings.encoded else { return before }
        try announce(announcer.rolloutChanged(candidate, of: place, of: app, by: author))
        try log(
            .rolloutChanged, candidate, of: place, in: app, by: author, AuditDetail(from: before.settings, to: after.settings))
        try renewStamp(of: app)
        return after
    }

    private mutating func schedule(
        _ steps: [PlannedShare], for candidate: Candidate, of place: SetName, in app: AppID, by author: Author
    ) throws(Failure) {
        for step in steps {
            try schedule(entry(.share(step.share), for: candidate, of: place, at: step.at, by: author), of: app)
        }
    }

    fileprivate func entry(
        _ step: RolloutStep, for candidate: Candidate, of place: SetName, at time: Timestamp, message: RevisionMessage? = nil,
        by author: Author
    ) -> ScheduleEntry {
        ScheduleEntry(
            id: freshScheduleID, version: place.version, audience: place.audience, at: time, action: .rollout(candidate.rollout, step),
            automaticRevert: nil, message: message, author: author)
    }

    /// Ends a running roll-out, with what is scheduled for it.
    /// - Parameter figures: why a guard stopped it.
    mutating func end(
        _ candidate: Candidate, of place: SetName, _ end: RolloutEnd, in app: AppID, by author: Author, message: RevisionMessage? = nil,
        figures: JSON? = nil
    ) throws(Failure) {
        try connection.enqueue(
            "UPDATE rollouts SET ended_at = ?, ended_by = ?, ending = ? WHERE app = ? AND id = ?",
            [
                SQLValue(author.at), author.isService ? .null : .text(author.token), .text(end.rawValue), SQLValue(app),
                SQLValue(candidate.rollout),
            ])
        try connection.enqueue(
            "DELETE FROM schedule WHERE app = ? AND rollout = ?", [SQLValue(app), SQLValue(candidate.rollout)])
        // The new revision of a promotion has its own event, entry and stamp.
        guard end != .promoted else { return }
        try announce(announcer.rolloutStopped(candidate, of: place, end, of: app, by: author))
        try log(
            .rolloutStopped, candidate, of: place, in: app, by: author,
            AuditDetail(message: message, after: figures ?? ["reason": .string(end.rawValue)]))
        try renewStamp(of: app)
    }

    /// - Throws: `unknownResource` without such a set, or if no roll-out of it runs.
    fileprivate func requireCandidate(
        of place: SetName, in app: AppID, expecting writeCondition: WriteCondition
    ) throws(Failure) -> Candidate {
        guard let snapshot = try snapshot(of: app) else { throw .unknownApp(app) }
        let set = try snapshot.ownTimeline(of: place.audience).requireSet(startingAt: place.version)
        let candidate = try set.requireCandidate(for: place.audience)
        try writeCondition.require(set, or: candidate)
        return candidate
    }

    fileprivate mutating func log(
        _ action: AuditEntry.Action, _ candidate: Candidate, of place: SetName, in app: AppID, by author: Author,
        _ detail: AuditDetail = .none, target: AuditTarget? = nil
    ) throws(Failure) {
        try log(
            AuditEntry(
                author: author, action: action, app: app, version: AppBuild(place.version), audience: place.audience,
                revision: candidate.revision, target: target ?? .set(place.version, place.audience, of: app), detail: detail))
    }
}

extension AppSnapshot {
    fileprivate func requireCandidate(of place: SetName) throws(Failure) -> Candidate {
        try ownTimeline(of: place.audience).requireSet(startingAt: place.version).requireCandidate(for: place.audience)
    }
}

extension SQLConnection {
    func rollout(of candidate: Candidate, in app: AppID) throws(Failure) -> RunningRollout {
        let rows = try scheduleRows(
            where: "s.app = ? AND s.rollout = ? ORDER BY s.due_at, s.sequence", [SQLValue(app), SQLValue(candidate.rollout)])
        return RunningRollout(candidate, rows.map(\.entry))
    }

    func candidates(of app: AppID) throws(Failure) -> [SetName: Candidate] {
        let (sql, values) = Candidate.query(app)
        return try Candidate.read(try rows(sql, values) { row throws(Failure) in row })
    }

    /// A candidate that is copied again keeps the shares that its stored roll-out had.
    func insert(_ candidates: [SetName: Candidate], of app: AppID) throws(Failure) {
        for (name, candidate) in candidates {
            try enqueue(
                """
                INSERT INTO rollouts (id, app, audience, position, version, revision, started_at, started_by, threshold, shares,
                    guard_lost, guard_worse)
                VALUES (\(placeholders(12)))
                ON CONFLICT (app, id) DO UPDATE SET audience = excluded.audience, position = excluded.position, version = excluded.version,
                    revision = excluded.revision, started_at = excluded.started_at, started_by = excluded.started_by,
                    threshold = excluded.threshold, guard_lost = excluded.guard_lost, guard_worse = excluded.guard_worse, ended_at = NULL,
                    ended_by = NULL, ending = NULL
                """,
                [
                    SQLValue(candidate.rollout), SQLValue(app), SQLValue(name.audience), .text(name.version.position),
                    SQLValue(name.version), .integer(candidate.revision), SQLValue(candidate.startedAt), .text(candidate.by),
                ] + candidate.settings)
        }
    }
}

extension Candidate {
    /// The running candidates of an app.
    static func query(_ app: AppID) -> SQLQuery {
        (
            """
            SELECT x.version, x.audience, x.id, x.threshold, x.shares, x.guard_lost, x.guard_worse, x.revision, x.started_at,
                x.started_by, r.document
            FROM rollouts x JOIN revisions r ON r.app = x.app AND r.number = x.revision
            WHERE x.app = ? AND x.ended_at IS NULL ORDER BY x.audience, x.position
            """, [SQLValue(app)]
        )
    }

    static func read(_ rows: [SQLRow]) throws(Failure) -> [SetName: Candidate] {
        var candidates: [SetName: Candidate] = [:]
        for row in rows {
            var row = row
            let place = SetName(version: try row.read(), audience: try row.read())
            let (id, share) = (try row.read(RolloutID.self), try row.share())
            candidates[place] = Candidate(
                rollout: id, share: share, shares: try row.shares(), guard: RolloutGuard(lost: try row.limit(), worse: try row.limit()),
                revision: try row.integer(), startedAt: try row.read(), by: try row.text(), set: try row.read())
        }
        return candidates
    }

    /// The columns threshold, shares, guard_lost, guard_worse.
    fileprivate var settings: [SQLValue] {
        let shares = JSON.array(shares.sorted().map { .integer(Int64($0.threshold)) })
        return [
            SQLValue(share.threshold), SQLValue(utf8: shares.encoded), self.guard?.lost.map { SQLValue($0.threshold) } ?? .null,
            self.guard?.worse.map { SQLValue($0.threshold) } ?? .null,
        ]
    }
}

extension SQLRow {
    mutating func share() throws(Failure) -> RolloutShare {
        let threshold = try integer()
        guard let share = RolloutShare(threshold: Int(threshold)) else { throw .corrupt("\(threshold) is not a share.") }
        return share
    }

    mutating func limit() throws(Failure) -> RolloutShare? {
        try read(Int?.self).flatMap { RolloutShare(threshold: $0) }
    }

    fileprivate mutating func shares() throws(Failure) -> Set<RolloutShare> {
        guard case .array(let shares)? = try? JSON(document: Array(try text().utf8)) else { throw .corrupt("The shares are not an array.") }
        return Set(shares.compactMap { if case .integer(let threshold) = $0 { RolloutShare(threshold: Int(threshold)) } else { nil } })
    }
}
