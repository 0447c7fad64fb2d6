import QuickActions

/// Every id known up to a version and what became of it, in one document: an app that carries it answers the first tap
/// after an update with no network.
package struct Continuity: Sendable {
    package struct Entry: Sendable {
        /// `current` for a live item: with its action hash the app can tell `changed` itself.
        package let outcome: TapOutcome
        /// The item to act on.
        package let item: ShortcutItem?
        /// Where to fall back to where there is no item.
        package let url: ActionURL?
    }

    package let app: AppID
    package let version: AppVersion
    /// The audience that was served.
    package let audience: Audience
    package let effective: PublishedSet
    /// By id, ascending.
    package let entries: [(id: ItemID, entry: Entry)]

    /// What an id that is not listed comes to: `removed`, with the nearest fallback.
    package let otherwise: Entry
    private var written: Text

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
        entries = timeline.fates(upTo: effective).map { id, fate in
            if let item = effective.set.item(id) { return (id, Entry(outcome: .current, item: item, url: nil)) }
            switch fate {
            case .lands(let item): return (id, Entry(outcome: .replaced, item: item, url: nil))
            case .ends(let retired): return (id, Entry(outcome: .retired, item: nil, url: retired.url ?? fallback))
            case .lost: return (id, Entry(outcome: .removed, item: nil, url: fallback))
            }
        }
    }

    /// The same for whatever version has this set, with a placeholder where the version is written.
    package var withPlaceholders: Continuity {
        var continuity = self
        continuity.written = WrittenVersion.placeholders.version
        return continuity
    }

    package var json: JSON {
        // One item is many ids' heir: what it does is hashed once.
        let actions = Dictionary(
            effective.set.items.map { ($0.id, JSON.string(VersionTag.actionHash(of: $0))) }, uniquingKeysWith: { first, _ in first })
        return [
            "app": .string(app), "version": .string(written), "audience": .string(audience), "revision": .integer(effective.revision),
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
