import QuickActions

/// What happens to a set at a time.
package struct ScheduleEntry: Sendable {
    package enum Kind: String, Sendable {
        case publish, restore, delete
    }

    package enum Action: Sendable {
        /// Publishes the draft as it was when it was scheduled. It is no draft any more.
        /// - Parameter override: why an owner scheduled it without the approvals that it needed.
        case publish(Draft, override: OverrideReason?)
        /// Publishes the content of a revision again. Nil for the way back of a publish that is still to come.
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

    /// What makes an entry the way back of a publish: it fires only if nobody else has published the set meanwhile.
    package enum WayBack: Hashable, Sendable {
        /// Of a publish that is still to come.
        case after(ScheduleID)
        /// It fires while the set stands at this revision.
        case from(revision: Int64)
    }

    package let id: ScheduleID
    package let version: AppVersion
    package let audience: Audience
    package let at: Timestamp
    package let action: Action
    /// Nil for an entry that does not depend on what stands.
    package let wayBack: WayBack?
    /// Who scheduled it, and when.
    package let author: Author

    package init(
        id: ScheduleID, version: AppVersion, audience: Audience, at: Timestamp, action: Action, wayBack: WayBack?, author: Author
    ) {
        self.id = id
        self.version = version
        self.audience = audience
        self.at = at
        self.action = action
        self.wayBack = wayBack
        self.author = author
    }

    package var kind: Kind {
        switch action {
        case .publish: .publish
        case .restore: .restore
        case .delete: .delete
        }
    }

    /// Of a restore whose content is known.
    package var revision: Int64? {
        if case .restore(let content?) = action { content.revision } else { nil }
    }

    /// What is published; nil for a deletion, and for the way back of a publish that is still to come.
    package var set: ShortcutSet? {
        switch action {
        case .publish(let draft, _): draft.set
        case .restore(let content): content?.set
        case .delete: nil
        }
    }

    /// What the entry does when it is due.
    package var change: SetChange? {
        let (action, consent): (SetChange.Action, Consent)
        switch self.action {
        case .publish(let draft, let override):
            (action, consent) = (.publish(draft.set), override.map { .overridden($0) } ?? .approvals(draft.consents, override: nil))
        case .restore(let content?): (action, consent) = (.publish(content.set), .notNeeded)
        case .restore(nil): return nil
        case .delete: (action, consent) = (.delete, .notNeeded)
        }
        return SetChange(version: version, audience: audience, action: action, writeCondition: .none, consent: consent)
    }

    /// As it is listed.
    package var json: JSON {
        [
            "id": .string(id), "at": .string(at.shortText), "kind": .string(kind.rawValue), "version": .string(version),
            "audience": .string(audience), "revision": revision.map(JSON.integer) ?? .null, "by": .string(author.token),
            "set": set?.json ?? .null,
        ]
    }
}

/// An entry that was due, and what became of it.
package enum FiredEntry: Sendable {
    /// - Parameter revision: the one that was made, or the one that stands where it has the same content.
    case done(AppID, ScheduleEntry, revision: Int64)
    /// Of a way back that is due while a later one will bring back what it expects: that one now goes back further.
    case handedOn(AppID, ScheduleEntry)
    /// The entry is gone. Its draft is a draft again, unless there is another one by now.
    case failed(AppID, ScheduleEntry, Failure)
    /// It could not be read or done. It stays in the store and is not tried again until a program starts.
    case quarantined(ScheduleID)
}

extension Failure {
    /// A way back that is due after somebody has published the set.
    /// - Parameters:
    ///   - standing: the set's revision; nil where the set is gone.
    ///   - expected: the revision at which the way back was to find it.
    package static func superseded(_ entry: ScheduleEntry, standing: Int64?, expected: Int64) -> Failure {
        let state = standing.map { "is at revision \($0)" } ?? "was deleted"
        let message =
            "The set of \(entry.version) for audience \(quoted(entry.audience.description)) \(state). Somebody changed it after the "
                + "campaign's revision \(expected), so it was not reverted."
        return Failure(.conflict, message, violations: [Violation(path: "", code: "superseded", message: message)])
    }
}
