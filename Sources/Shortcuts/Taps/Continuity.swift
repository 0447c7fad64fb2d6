/// Every id known up to a version and what became of it, in one document: an app that carries it answers the first tap
/// after an update with no network.
package struct Continuity: Sendable {
    package struct Fate: Sendable {
        /// `current` for a live item: with its action hash the app can tell `changed` itself.
        package let outcome: TapResolution.Outcome
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
    package let fates: [(id: ItemID, fate: Fate)]

    /// Nil for a version older than every set.
    package init?(for version: AppVersion, _ audience: Audience, in snapshot: AppSnapshot) {
        let timeline = snapshot.timeline(for: audience)
        guard let effective = timeline.effectiveSet(for: version) else { return nil }
        app = snapshot.app.id
        self.version = version
        self.audience = timeline.audience
        self.effective = effective
        let fallback = effective.set.fallbackURL ?? snapshot.app.fallbackURL
        let known = timeline.sets.filter { $0.version <= version }.reduce(into: Set<ItemID>()) { $0.formUnion($1.set.mentionedIDs) }
        fates = known.sorted().map { id in
            if let item = effective.set.item(id) { return (id, Fate(outcome: .current, item: item, url: nil)) }
            switch timeline.fate(of: id, at: version, taggedAt: version, .past) {
            case .lands(let item): return (id, Fate(outcome: .replaced, item: item, url: nil))
            case .ends(let retired): return (id, Fate(outcome: .retired, item: nil, url: retired.url ?? fallback))
            case .lost: return (id, Fate(outcome: .removed, item: nil, url: fallback))
            }
        }
    }

    package var json: JSON {
        .object([
            JSON.Member("app", .string(app.description)), JSON.Member("version", .string(version.description)),
            JSON.Member("audience", .string(audience.description)), JSON.Member("revision", .integer(effective.revision)),
            JSON.Member("ids", .object(fates.map { JSON.Member(Text($0.id.description), $0.fate.json) })),
        ])
    }
}

extension Continuity.Fate {
    fileprivate var json: JSON {
        .object([
            JSON.Member("outcome", .string(outcome.rawValue)), JSON.Member("item", .optional(item?.id.description)),
            JSON.Member("action", .optional(item.map(VersionTag.actionHash))), JSON.Member("url", .optional(url?.description)),
        ])
    }
}
