import QuickActions

/// The resolution of every id that the sets up to a version mention, as one document. An app that bundles it resolves the first tap after
/// an update without a network.
package struct Continuity: Sendable {
    package struct Entry: Sendable {
        /// `current` for an item of the effective set. The app compares action hashes to detect `changed`.
        package let outcome: TapOutcome
        /// The item of the effective set to act on.
        package let item: ShortcutItem?
        /// The URL to open if there is no item, or if the app lacks the values for a personal item.
        package let url: ActionURL?
    }

    package let app: AppID
    package let version: AppVersion
    /// The audience that was served.
    package let audience: Audience
    package let effective: PublishedSet
    /// By id, ascending.
    package let entries: [(id: ItemID, entry: Entry)]

    /// For ids that are not listed: `removed`, with the fallback URL of the set or of the app.
    package let otherwise: Entry
    /// The running roll-out of the effective set, and the resolution for the installations that have its candidate.
    private var rollout: (candidate: Candidate, members: JSON)?
    /// The text for the version: the version or a placeholder.
    private(set) var written: Text

    /// Nil for a version older than every set.
    package init?(for version: AppVersion, _ audience: Audience, in snapshot: AppSnapshot) {
        let timeline = snapshot.timeline(for: audience)
        guard let effective = timeline.effectiveSet(for: version) else { return nil }
        app = snapshot.app.id
        self.version = version
        self.audience = timeline.audience
        self.effective = effective
        written = Text(version.description)
        let fallback = effective.set.fallbackURL ?? snapshot.app.fallbackURL
        otherwise = Entry(outcome: .removed, item: nil, url: fallback)
        entries = timeline.resolveAll(upTo: effective).map { id, resolution in
            func entry(_ outcome: TapOutcome, _ item: ShortcutItem) -> Entry {
                Entry(outcome: outcome, item: item, url: item.personal == nil ? nil : fallback)
            }
            if let item = effective.set.item(id) { return (id, entry(.current, item)) }
            switch resolution {
            case .item(let item): return (id, entry(.replaced, item))
            case .retired(let retired): return (id, Entry(outcome: .retired, item: nil, url: retired.url ?? fallback))
            case .unknown: return (id, Entry(outcome: .removed, item: nil, url: fallback))
            }
        }
        rollout = effective.candidate.flatMap { candidate in
            Continuity(for: version, audience, in: snapshot.seen(in: .candidate, of: candidate.rollout)).map { (candidate, $0.resolutions) }
        }
    }

    /// A template for all versions for which this set is in effect: placeholders stand for the version.
    package var withPlaceholders: Continuity {
        var continuity = self
        continuity.written = WrittenVersion.placeholders.version
        return continuity
    }

    package var json: JSON {
        let subject: JSON = [
            "app": .string(app), "version": .string(written), "audience": .string(audience), "revision": .integer(effective.revision),
        ]
        let choice: JSON? = rollout.map { candidate, members in
            let choice: JSON = [
                "id": .string(candidate.rollout), "threshold": .integer(Int64(candidate.share.threshold)),
                "revision": .integer(candidate.revision),
            ]
            return choice.adding(membersOf: members)
        }
        return subject.adding(membersOf: resolutions).adding(membersOf: ["rollout": choice])
    }

    private var resolutions: JSON {
        // One item may be the successor of many ids, so its action is hashed once.
        let actions = Dictionary(effective.set.items.map { ($0.id, JSON.string($0.actionHash)) }, uniquingKeysWith: { first, _ in first })
        return [
            "ids": .object(entries.map { JSON.Member(Text($0.id.description), $0.entry.json(actions)) }),
            "otherwise": ["outcome": .string(otherwise.outcome.rawValue), "url": .optional(otherwise.url)],
        ]
    }
}

extension Continuity.Entry {
    fileprivate func json(_ actions: [ItemID: JSON]) -> JSON {
        [
            "outcome": .string(outcome.rawValue), "item": .optional(item?.id.description),
            "action": item.flatMap { actions[$0.id] } ?? .null, "url": .optional(url),
        ]
    }
}
