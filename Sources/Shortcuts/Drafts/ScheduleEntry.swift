import QuickActions

/// A scheduled change of a set.
package struct ScheduleEntry: Sendable {
    package enum Kind: String, Sendable {
        case publish, restore, delete
    }

    package enum Action: Sendable {
        /// Publishes the draft with the content that it had when it was scheduled. Scheduling consumed the draft.
        /// - Parameter override: why an owner scheduled it without the required approvals.
        case publish(Draft, override: OverrideReason?)
        /// Publishes the content of a revision again. Nil for the automatic revert of a publish that is still scheduled.
        case restore(Content?)
        case delete
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
        }
    }

    /// Only for a restore whose content is known.
    package var revision: Int64? {
        if case .restore(let content?) = action { content.revision } else { nil }
    }

    /// The content to publish; nil for a deletion, and for the automatic revert of a publish that is still scheduled.
    package var set: ShortcutSet? {
        switch action {
        case .publish(let draft, _): draft.set
        case .restore(let content): content?.set
        case .delete: nil
        }
    }

    /// The change that the entry makes when it runs.
    package var change: SetChange? {
        let (action, consent): (SetChange.Action, Consent)
        switch self.action {
        case .publish(let draft, let override):
            (action, consent) = (.publish(draft.set), override.map { .overridden($0) } ?? .approvals(draft.consents, override: nil))
        case .restore(let content?): (action, consent) = (.publish(content.set), .notNeeded)
        case .restore(nil): return nil
        case .delete: (action, consent) = (.delete, .notNeeded)
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
        return entry.adding(membersOf: revertMembers)
    }

    /// For an automatic revert, the publish that it ends.
    var revertMembers: JSON {
        switch automaticRevert {
        case .after(let publish)?: ["follows": .string(publish)]
        case .from(let revision)?: ["expectedRevision": .integer(revision)]
        case nil: [:]
        }
    }
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
