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

    /// As it is listed.
    package var json: JSON {
        [
            "id": .string(id), "at": .string(at.shortText), "kind": .string(kind.rawValue), "version": .string(version),
            "audience": .string(audience), "revision": revision.map(JSON.integer) ?? .null, "by": .string(author.token),
            "set": set?.json ?? .null,
        ]
    }
}
