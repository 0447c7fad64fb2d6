import QuickActions

/// What a tap means for the installed version.
package struct TapResolution: Sendable {
    package let outcome: TapOutcome
    package let origin: TapOrigin
    /// The item of the effective set to act on.
    package let item: ShortcutItem?
    /// The URL to open instead; nil if there is an item that is not personal, and for `static`.
    package let url: ActionURL?

    /// Whether the app should register the current set.
    package var refresh: Bool { outcome.needsRefresh(origin) }

    fileprivate init(outcome: TapOutcome, origin: TapOrigin, item: ShortcutItem?, url: ActionURL?) {
        (self.outcome, self.origin, self.item, self.url) = (outcome, origin, item, url)
    }

    /// - Parameter fallback: for an app that does not fill personal items, or lacks a value.
    fileprivate init(outcome: TapOutcome, origin: TapOrigin, to item: ShortcutItem, or fallback: ActionURL?) {
        self.init(outcome: outcome, origin: origin, item: item, url: item.personal == nil ? nil : fallback)
    }
}

extension AppSnapshot {
    /// Resolves a tap by the rules of docs/ios.md, "What happens when". The audience is the one in the body, else the tag's, else
    /// `default`.
    /// - Returns: the resolution, and the client's answer, which is nil if no set is in effect for the installed version.
    package func resolve(_ tap: Tap) -> (resolution: TapResolution, answer: ShortcutsAnswer?) {
        let tag = tap.tag
        let audience = tap.requestedAudience
        let answer = ShortcutsAnswer(
            for: Client(build: tap.installed, audience: audience, language: tap.language), in: self)
        guard let tag else { return (resolveUntagged(tap, answer), answer) }
        let origin = TapOrigin(of: tag.version, installed: tap.installed)
        guard let answer else {
            return (TapResolution(outcome: .removed, origin: origin, item: nil, url: app.fallbackURL), nil)
        }
        let fallback = answer.effective.set.fallbackURL ?? app.fallbackURL
        if let item = answer.effective.set.item(tag.item) {
            return (TapResolution(outcome: answer.outcome(of: item, tag), origin: origin, to: item, or: fallback), answer)
        }
        switch timeline(for: audience).resolve(tag.item, for: tap.installed.version, taggedAt: tag.version.version, origin) {
        case .item(let item):
            return (TapResolution(outcome: .replaced, origin: origin, to: item, or: fallback), answer)
        case .retired(let retired):
            return (TapResolution(outcome: .retired, origin: origin, item: nil, url: retired.url ?? fallback), answer)
        case .unknown:
            return (TapResolution(outcome: .removed, origin: origin, item: nil, url: fallback), answer)
        }
    }

    /// Without a usable tag, only the type is left: that of a static item, or of exactly one enabled item.
    private func resolveUntagged(_ tap: Tap, _ answer: ShortcutsAnswer?) -> TapResolution {
        if release(for: tap.installed)?.staticItems.contains(where: { $0.type == tap.type }) ?? false {
            return TapResolution(outcome: .static, origin: .unknown, item: nil, url: nil)
        }
        let set = answer?.effective.set
        let fallback = set?.fallbackURL ?? app.fallbackURL
        let sameType = set?.enabledItems.filter { $0.type == tap.type } ?? []
        if let item = sameType.first, sameType.count == 1 {
            return TapResolution(outcome: .untagged, origin: .unknown, to: item, or: fallback)
        }
        return TapResolution(outcome: .unknown, origin: .unknown, item: nil, url: fallback)
    }
}

extension ShortcutsAnswer {
    /// The outcome for an item that the effective set still has. It depends on the action hash and not on titles or icons.
    fileprivate func outcome(of item: ShortcutItem, _ tag: TapTag) -> TapOutcome {
        tag.outcome(action: item.actionHash, revision: effective.revision, language: row(of: item).language)
    }
}

/// Resolves an id in a timeline. Each set may give an id a successor (an item that lists it in `replaces`) or retire it.
extension Timeline {
    enum Resolution {
        /// The item itself or its last successor, as in the effective set.
        case item(ShortcutItem)
        case retired(RetiredItem)
        /// No set up to the effective one has the id, or its chain ends in an item that was removed.
        case unknown
    }

    /// - Parameters:
    ///   - installed: the version whose effective set decides.
    ///   - tagged: the version in the tap's tag. After a downgrade, the search for predecessors starts there.
    func resolve(_ id: ItemID, for installed: AppVersion, taggedAt tagged: AppVersion, _ origin: TapOrigin) -> Resolution {
        guard let effective = effectiveSet(for: installed) else { return .unknown }
        let resolution = followSuccessors(of: id, to: effective)
        guard case .unknown = resolution, origin == .future else { return resolution }
        return followPredecessors(of: id, taggedAt: tagged, to: effective)
    }

    /// Starts at the first set and not at the tag's, because an id may have been replaced within one version.
    private func followSuccessors(of id: ItemID, to effective: PublishedSet) -> Resolution {
        var current = id
        for published in sets where published.version <= effective.version {
            if let successor = published.set.items.first(where: { $0.replaces.contains(current) }) {
                current = successor.id
            } else if let retired = published.set.retired.first(where: { $0.id == current }) {
                return .retired(retired)
            }
        }
        return effective.set.item(current).map(Resolution.item) ?? .unknown
    }

    /// After a downgrade: from an item of a newer set to the items that it replaced. The first id of `replaces` that is in the effective
    /// set is the result. If none is, the search continues with the first id of `replaces`.
    private func followPredecessors(of id: ItemID, taggedAt tagged: AppVersion, to effective: PublishedSet) -> Resolution {
        var current = id
        for published in sets.reversed() where published.version > effective.version && published.version <= tagged {
            guard let item = published.set.item(current), let first = item.replaces.first else { continue }
            if let predecessor = item.replaces.lazy.compactMap(effective.set.item).first { return .item(predecessor) }
            current = first
        }
        return effective.set.item(current).map(Resolution.item) ?? .unknown
    }

    /// Resolves every id that the sets up to the effective one mention, in one pass over the sets. The results equal those of `resolve` for
    /// a tag that is not from a newer version.
    /// - Returns: ascending by id.
    func resolveAll(upTo effective: PublishedSet) -> [(id: ItemID, resolution: Resolution)] {
        let past = sets.prefix { $0.version <= effective.version }
        let known = past.reduce(into: Set<ItemID>()) { $0.formUnion($1.set.mentionedIDs) }
        // By the last successor so far: all ids whose chain leads to it, including its own.
        var origins = Dictionary(uniqueKeysWithValues: known.map { ($0, [$0]) })
        var ended: [ItemID: RetiredItem] = [:]
        for published in past {
            var moved: [(successor: ItemID, ids: [ItemID])] = []
            for item in published.set.items {
                for replaced in item.replaces {
                    if let ids = origins.removeValue(forKey: replaced) { moved.append((item.id, ids)) }
                }
            }
            for retired in published.set.retired {
                for id in origins.removeValue(forKey: retired.id) ?? [] { ended[id] = retired }
            }
            for (successor, ids) in moved { origins[successor, default: []] += ids }
        }
        var resolutions = ended.mapValues(Resolution.retired)
        for (current, ids) in origins {
            let resolution = effective.set.item(current).map(Resolution.item) ?? .unknown
            for id in ids { resolutions[id] = resolution }
        }
        return resolutions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

/// The answer to a tap: its resolution, and the item as a fetch would serve it now. A personal item is in a separate member, so that an
/// app that does not know personal items opens the fallback.
package struct TapAnswer {
    private let tap: Tap
    private let app: AppID
    /// The audience whose menu the client is served.
    private let audience: Audience
    private let revision: Int64?
    private let resolution: TapResolution
    private let answer: ShortcutsAnswer?

    package init(to tap: Tap, in snapshot: AppSnapshot) {
        let snapshot = tap.choice.map { snapshot.seen(in: $0.arm, of: $0.rollout) } ?? snapshot
        self.tap = tap
        app = snapshot.app.id
        audience = snapshot.timeline(for: tap.requestedAudience).audience
        revision = snapshot.knownRevision(tap.tag?.revision)
        (resolution, answer) = snapshot.resolve(tap)
    }

    /// The dimensions by which the tap is counted.
    package var kind: TapKind {
        let tag = tap.tag
        // An address may resolve any number of taps, so none of them counts as a first tap.
        let choice = tap.choice.map { RolloutChoice(rollout: $0.rollout, arm: $0.arm) }
        return TapKind(
            app: app, audience: audience, revision: revision, item: tag?.item ?? resolution.item?.id, tagVersion: tag?.version.version,
            version: tap.installed.version, outcome: resolution.outcome, choice: choice)
    }

    package var json: JSON {
        let personal = resolution.item.flatMap { item in answer?.personalJSON(of: item) }
        let item = personal == nil ? resolution.item.flatMap { item in answer.map { $0.json(of: item) } } : nil
        return [
            "outcome": .string(resolution.outcome.rawValue), "origin": .string(resolution.origin.rawValue), "item": item ?? .null,
            "url": .optional(resolution.url), "refresh": .boolean(resolution.refresh),
            "tapped": .object(tap.userInfo.filter { !$0.name.string.utf8.starts(with: VersionTag.prefix.utf8) }),
            "personal": personal,
        ]
    }

    /// Whether the client sent values of a personal item, which it should keep. They are ignored.
    package var ignoresValues: Bool { tap.carriesValues }
}
