import QuickActions
import Shortcuts

extension Store {
    /// Changes the share of the running roll-out. No revision is made.
    /// - Returns: the candidate afterwards.
    package func setShare(
        _ share: RolloutShare, of place: SetName, in app: AppID, by author: Author
    ) throws(Failure) -> Candidate {
        try write { transaction throws(Failure) in
            var candidate = try transaction.requireCandidate(of: place, in: app)
            let before = candidate.share
            guard share != before else { return candidate }
            candidate.share = share
            try transaction.connection.enqueue(
                "UPDATE rollouts SET threshold = ? WHERE app = ? AND id = ?",
                [.integer(Int64(share.threshold)), SQLValue(app), SQLValue(candidate.rollout)])
            try transaction.announce(transaction.announcer.rolloutChanged(candidate, of: place, of: app, by: author))
            try transaction.log(
                .rolloutShareChanged, candidate, of: place, in: app, by: author,
                AuditDetail(from: ["share": before.percent], to: ["share": share.percent]))
            try transaction.renewStamp(of: app)
            return candidate
        }
    }

    /// Ends the running roll-out, so that everyone gets the set.
    /// - Returns: the candidate that ran.
    package func stopRollout(of place: SetName, in app: AppID, by author: Author) throws(Failure) -> Candidate {
        try write { transaction throws(Failure) in
            let candidate = try transaction.requireCandidate(of: place, in: app)
            try transaction.end(candidate, of: place, .stopped, in: app, by: author)
            try transaction.renewStamp(of: app)
            return candidate
        }
    }
}

extension Transaction {
    /// Writes the candidate's revision, and starts its roll-out.
    mutating func startRollout(
        _ publication: Publication, _ share: RolloutShare, in snapshot: AppSnapshot, by author: Author
    ) throws(Failure) {
        var revision = publication.revision
        guard let set = revision.set else { throw .corrupt("A candidate has no content.") }
        let (app, place) = (snapshot.app.id, SetName(version: revision.version, audience: revision.audience))
        let candidate = Candidate(
            rollout: RolloutID(identifiers()), share: share, revision: revision.number, startedAt: author.at, by: author.token, set: set)
        revision.rollout = candidate.rollout
        try setLastRevision(revision.number, of: app)
        try connection.insert(revision, of: app)
        try connection.insert([place: candidate], of: app)
        try record(publication.newIDs, in: place.audience, of: app)
        try announce(announcer.rolloutChanged(candidate, of: place, of: app, by: author))
        try log(
            .rolloutStarted, candidate, of: place, in: app, by: author,
            AuditDetail(reason: publication.override, message: revision.message))
        try renewStamp(of: app)
    }

    /// Ends a running roll-out. The caller renews the app's stamp.
    mutating func end(
        _ candidate: Candidate, of place: SetName, _ end: RolloutEnd, in app: AppID, by author: Author
    ) throws(Failure) {
        try connection.enqueue(
            "UPDATE rollouts SET ended_at = ?, ending = ? WHERE app = ? AND id = ?",
            [SQLValue(author.at), .text(end.rawValue), SQLValue(app), SQLValue(candidate.rollout)])
        // The new revision of a promotion has its own event and entry.
        guard end != .promoted else { return }
        try announce(announcer.rolloutStopped(candidate, of: place, end, of: app, by: author))
        try log(.rolloutStopped, candidate, of: place, in: app, by: author)
    }

    /// - Throws: `unknownResource` without such a set, or if no roll-out of it runs.
    fileprivate func requireCandidate(of place: SetName, in app: AppID) throws(Failure) -> Candidate {
        guard let snapshot = try snapshot(of: app) else { throw .unknownApp(app) }
        return try snapshot.ownTimeline(of: place.audience).requireSet(startingAt: place.version).requireCandidate(for: place.audience)
    }

    fileprivate mutating func log(
        _ action: AuditEntry.Action, _ candidate: Candidate, of place: SetName, in app: AppID, by author: Author,
        _ detail: AuditDetail = .none
    ) throws(Failure) {
        try log(
            AuditEntry(
                author: author, action: action, app: app, version: AppBuild(place.version), audience: place.audience,
                revision: candidate.revision, target: .set(place.version, place.audience, of: app), detail: detail))
    }
}

extension SQLConnection {
    func candidates(of app: AppID) throws(Failure) -> [SetName: Candidate] {
        let (sql, values) = Candidate.query(app)
        return try Candidate.read(try rows(sql, values) { row throws(Failure) in row })
    }

    func insert(_ candidates: [SetName: Candidate], of app: AppID) throws(Failure) {
        for (name, candidate) in candidates {
            try enqueue(
                """
                INSERT INTO rollouts (id, app, audience, position, version, revision, threshold, started_at, started_by)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    SQLValue(candidate.rollout), SQLValue(app), SQLValue(name.audience), .text(name.version.position),
                    SQLValue(name.version), .integer(candidate.revision), .integer(Int64(candidate.share.threshold)),
                    SQLValue(candidate.startedAt), .text(candidate.by),
                ])
        }
    }
}

extension Candidate {
    /// The running candidates of an app.
    static func query(_ app: AppID) -> SQLQuery {
        (
            """
            SELECT x.version, x.audience, x.id, x.threshold, x.revision, x.started_at, x.started_by, r.document
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
            let (id, threshold) = (try row.read(RolloutID.self), try row.integer())
            guard let share = RolloutShare(threshold: Int(threshold)) else { throw .corrupt("\(threshold) is not a share.") }
            candidates[place] = Candidate(
                rollout: id, share: share, revision: try row.integer(), startedAt: try row.read(), by: try row.text(), set: try row.read())
        }
        return candidates
    }
}
