import QuickActions

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
