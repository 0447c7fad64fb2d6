import QuickActions

/// A menu that a share of the installations gets in place of a published set while its roll-out runs.
package struct Candidate: Sendable {
    /// The roll-out's id. A new roll-out has a new one, so that other installations come first.
    package let rollout: RolloutID
    package var share: RolloutShare {
        didSet { shares.insert(share) }
    }
    /// The shares since it started. An installation has chosen by one of them.
    package private(set) var shares: Set<RolloutShare>
    package var `guard`: RolloutGuard?
    /// The revision with its content, of the kind `candidate`.
    package let revision: Int64
    package let startedAt: Timestamp
    /// The name of the token that started it.
    package let by: String
    package let set: ShortcutSet

    /// - Parameter shares: the shares before this one.
    package init(
        rollout: RolloutID, share: RolloutShare, shares: Set<RolloutShare> = [], guard: RolloutGuard? = nil, revision: Int64,
        startedAt: Timestamp, by: String, set: ShortcutSet
    ) {
        self.rollout = rollout
        self.share = share
        self.shares = shares.union([share])
        self.guard = `guard`
        self.revision = revision
        self.startedAt = startedAt
        self.by = by
        self.set = set
    }

    package var content: ScheduleEntry.Content { ScheduleEntry.Content(revision: revision, set: set) }

    /// Without its content.
    package var summary: JSON { ["id": .string(rollout), "share": share.percent, "revision": .integer(revision)] }

    /// The candidate as if it were the set that begins at the version.
    func published(from version: AppVersion) -> PublishedSet {
        PublishedSet(version: version, revision: revision, publishedAt: startedAt, by: by, set: set)
    }
}

/// A running roll-out with the changes that are scheduled for it.
package struct RunningRollout: Sendable {
    package let candidate: Candidate
    /// Ordered by time.
    package let schedule: [ScheduleEntry]

    package init(_ candidate: Candidate, _ schedule: [ScheduleEntry] = []) {
        (self.candidate, self.schedule) = (candidate, schedule)
    }

    package var json: JSON {
        [
            "id": .string(candidate.rollout), "share": candidate.share.percent, "revision": .integer(candidate.revision),
            "startedAt": .string(candidate.startedAt), "by": .string(candidate.by), "guard": candidate.guard?.json,
            "scheduled": .array(schedule.map(\.step)), "set": candidate.set.json,
        ]
    }

    /// After a step. Somebody may have raised the share further.
    package func settings(raisedTo share: RolloutShare) -> RolloutSettings {
        RolloutSettings(share: max(share, candidate.share), guard: candidate.guard)
    }

    /// The members that `PATCH …/candidate` accepts.
    package var settings: JSON {
        let steps = schedule.filter { $0.kind == .share }.map { entry -> JSON in
            let step: JSON = ["at": .string(entry.at.shortText)]
            return step.adding(membersOf: entry.shareMember)
        }
        return ["share": candidate.share.percent, "steps": .array(steps), "guard": candidate.guard?.json ?? .null]
    }
}

extension ScheduleEntry {
    /// A change that is scheduled for a roll-out.
    package var step: JSON {
        let step: JSON = ["id": .string(id), "at": .string(at.shortText), "kind": .string(kind.rawValue)]
        return step.adding(membersOf: shareMember)
    }
}

/// The id of a roll-out.
package typealias RolloutID = ID<Candidate>

/// Why a roll-out ended.
package enum RolloutEnd: String, Sendable {
    /// The candidate became the set.
    case promoted
    /// Somebody stopped it.
    case stopped
    /// Another menu was published, restored or deleted in place of the set.
    case replaced
    /// Its guard stopped it.
    case lost, worse
}

extension AppSnapshot {
    /// The app as an installation in the roll-out's arm sees it: the candidate in place of the set. The same app if no such roll-out runs
    /// or the arm is `control`.
    func seen(in arm: RolloutArm, of rollout: RolloutID) -> AppSnapshot {
        guard arm == .candidate, let (name, candidate) = candidates.first(where: { $0.candidate.rollout == rollout }) else { return self }
        return replacing(candidate.published(from: name.version), in: name.audience)
    }

    /// The app as an installation sees it that has this arm in every running roll-out.
    package func seen(in arm: RolloutArm) -> AppSnapshot {
        candidates.reduce(self) { $0.seen(in: arm, of: $1.candidate.rollout) }
    }

    /// Every running roll-out, ascending by audience and version.
    package var candidates: [(name: SetName, candidate: Candidate)] {
        timelines.values.sorted { $0.audience < $1.audience }.flatMap { timeline in
            timeline.sets.compactMap { set in set.candidate.map { (SetName(version: set.version, audience: timeline.audience), $0) } }
        }
    }
}

extension PublishedSet {
    /// - Throws: `unknownResource` if no roll-out runs.
    package func requireCandidate(for audience: Audience) throws(Failure) -> Candidate {
        guard let candidate else { throw .unknownCandidate(version, audience) }
        return candidate
    }
}

extension Failure {
    package static func unknownCandidate(_ version: AppVersion, _ audience: Audience) -> Failure {
        Failure(
            .unknownResource,
            "The set of \(version) for audience \"\(audience)\" has no candidate. "
                + "If a roll-out ran, GET …/candidate/result says how it ended. Start a roll-out with PUT …/candidate?share=<percent>.")
    }

    package static func unknownRollout(_ revision: Int64, of set: SetName) -> Failure {
        Failure(
            .unknownResource,
            "Revision \(revision) started no roll-out of \(set.version) for audience \"\(set.audience)\", or its result is no longer kept. "
                + "Leave out revision to read the last result.")
    }

    /// - Parameter change: the refused change, as an infinitive.
    static func candidateRunning(_ candidate: Candidate, of set: PublishedSet, to change: String, inApply: Bool = false) -> Failure {
        Failure(
            .candidateRunning,
            "Revision \(candidate.revision) is rolled out to \(candidate.share.text) % of the installations of \(set.version). "
                + "To \(change), promote or stop the roll-out first. "
                + (inApply ? "" : "POST …/candidate/promote and …/candidate/stop do so, and ?stop=true stops it with this request. ")
                + "Nothing was written.")
    }
}
