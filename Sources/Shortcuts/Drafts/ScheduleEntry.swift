import QuickActions

/// A scheduled change of a set.
package struct ScheduleEntry: Sendable {
    package enum Kind: String, Sendable {
        case publish, restore, delete
        /// Of a roll-out.
        case share, promote, stop
    }

    package enum Action: Sendable {
        /// Publishes the draft with the content that it had when it was scheduled. Scheduling consumed the draft.
        /// - Parameter override: why an owner scheduled it without the required approvals.
        case publish(Draft, override: OverrideReason?)
        /// Publishes the content of a revision again. Nil for the automatic revert of a publish that is still scheduled.
        case restore(Content?)
        case delete
        /// Changes or ends the roll-out. If it ends before that, the entry is removed.
        case rollout(RolloutID, RolloutStep)
    }

    /// A revision's number and content.
    package struct Content: Sendable {
        package let revision: Int64
        package let set: ShortcutSet

        package init(revision: Int64, set: ShortcutSet) {
            self.revision = revision
            self.set = set
        }
    }

    /// Marks an entry as the automatic revert of a publish. It only runs if nobody else has published the set since.
    package enum AutomaticRevert: Hashable, Sendable {
        /// The publish is still scheduled.
        case after(ScheduleID)
        /// The publish has happened: the entry runs if this is still the set's current revision.
        case from(revision: Int64)
    }

    package let id: ScheduleID
    package let version: AppVersion
    package let audience: Audience
    package let at: Timestamp
    package let action: Action
    /// Nil for an entry that runs whatever the current revision is.
    package let automaticRevert: AutomaticRevert?
    /// Stored with the revision that the entry publishes; nil for an automatic revert.
    package let message: RevisionMessage?
    /// Who scheduled it, and when.
    package let author: Author

    package init(
        id: ScheduleID, version: AppVersion, audience: Audience, at: Timestamp, action: Action, automaticRevert: AutomaticRevert?,
        message: RevisionMessage? = nil, author: Author
    ) {
        self.id = id
        self.version = version
        self.audience = audience
        self.at = at
        self.action = action
        self.automaticRevert = automaticRevert
        self.message = message
        self.author = author
    }

    package var kind: Kind {
        switch action {
        case .publish: .publish
        case .restore: .restore
        case .delete: .delete
        case .rollout(_, .share): .share
        case .rollout(_, .promote): .promote
        case .rollout(_, .stop): .stop
        }
    }

    /// Only for a restore whose content is known, and for a promotion.
    package var revision: Int64? { content?.revision }

    /// The content to publish; nil for a deletion, for the automatic revert of a publish that is still scheduled, and for a roll-out that
    /// is not promoted.
    package var set: ShortcutSet? {
        if case .publish(let draft, _) = action { draft.set } else { content?.set }
    }

    private var content: Content? {
        switch action {
        case .restore(let content): content
        case .rollout(_, .promote(let content)): content
        case .publish, .delete, .rollout: nil
        }
    }

    /// The publish or deletion that the entry makes when it runs.
    package var change: SetChange? {
        let (action, consent): (SetChange.Action, Consent)
        switch self.action {
        case .publish(let draft, let override):
            (action, consent) = (.publish(draft.set), override.map { .overridden($0) } ?? .approvals(draft.consents, override: nil))
        case .restore(let content?): (action, consent) = (.publish(content.set), .notNeeded)
        case .delete: (action, consent) = (.delete, .notNeeded)
        case .rollout(_, .promote): (action, consent) = (.promote, .notNeeded)
        case .restore(nil), .rollout: return nil
        }
        return SetChange(
            version: version, audience: audience, action: action, writeCondition: .none, consent: consent, message: message,
            stopsCandidate: true)
    }

    /// As listed.
    package var json: JSON {
        let entry: JSON = [
            "id": .string(id), "at": .string(at.shortText), "kind": .string(kind.rawValue), "version": .string(version),
            "audience": .string(audience), "revision": revision.map(JSON.integer) ?? .null, "by": .string(author.token),
            "message": message.map { .string($0) }, "set": set?.json ?? .null,
        ]
        return entry.adding(membersOf: revertMembers).adding(membersOf: rolloutMembers)
    }

    /// For an automatic revert, the publish that it ends.
    var revertMembers: JSON {
        switch automaticRevert {
        case .after(let publish)?: ["follows": .string(publish)]
        case .from(let revision)?: ["expectedRevision": .integer(revision)]
        case nil: [:]
        }
    }

    /// `rollout`, and `share` of a step.
    var rolloutMembers: JSON {
        guard case .rollout(let rollout, _) = action else { return [:] }
        let id: JSON = ["rollout": .string(rollout)]
        return id.adding(membersOf: shareMember)
    }

    var shareMember: JSON {
        guard case .rollout(_, .share(let share)) = action else { return [:] }
        return ["share": share.percent]
    }
}

/// A scheduled change of a roll-out.
package enum RolloutStep: Sendable {
    /// Raises the share. A share that is as high by then stays.
    case share(RolloutShare)
    /// Makes the candidate the set.
    case promote(ScheduleEntry.Content)
    case stop

    /// Nil for the kind of a set's change, and without what the kind needs.
    package init?(_ kind: ScheduleEntry.Kind, _ share: RolloutShare?, _ content: ScheduleEntry.Content?) {
        switch (kind, share, content) {
        case (.share, let share?, _): self = .share(share)
        case (.promote, _, let content?): self = .promote(content)
        case (.stop, _, _): self = .stop
        default: return nil
        }
    }

    package var share: RolloutShare? { if case .share(let share) = self { share } else { nil } }
}

/// The outcome of an entry whose time has come.
package enum FiredEntry: Sendable {
    /// - Parameter revision: the new revision, or the current one if it already has the same content.
    case done(AppID, ScheduleEntry, revision: Int64)
    /// A later automatic revert was to restore the revision that this one ends. It now restores this one's content instead.
    case handedOver(AppID, ScheduleEntry)
    /// The entry was removed without effect. Its draft is restored unless there is another draft by now.
    case failed(AppID, ScheduleEntry, Failure)
    /// The entry could not be read or run. It stays in the store and is retried when a program starts.
    case quarantined(ScheduleID)
}

extension Failure {
    /// The failure of an automatic revert because somebody published the set in the meantime.
    /// - Parameters:
    ///   - current: the set's current revision; nil if the set was deleted.
    ///   - expected: the revision that the automatic revert was to end.
    package static func superseded(_ entry: ScheduleEntry, current: Int64?, expected: Int64) -> Failure {
        let state = current.map { "is at revision \($0)" } ?? "was deleted"
        let message =
            "The set of \(entry.version) for audience \(quoted(entry.audience.description)) \(state). Somebody changed it after the "
            + "campaign's revision \(expected), so it was not reverted."
        return Failure(.conflict, message, violations: [Violation(path: "", code: "superseded", message: message)])
    }
}
