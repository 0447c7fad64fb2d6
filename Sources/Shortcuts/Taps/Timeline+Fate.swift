import QuickActions

extension Timeline {
    /// What became of an id that the effective set does not have.
    enum Fate {
        case lands(ShortcutItem)
        case ends(RetiredItem)
        case lost
    }

    func fate(
        of id: ItemID, at installed: AppVersion, taggedAt tagged: AppVersion, _ origin: TapOrigin
    ) -> Fate {
        guard let effective = effectiveSet(for: installed) else { return .lost }
        let upward = walkUp(from: id, to: effective)
        if case .lost = upward, origin == .future { return walkBack(from: id, taggedAt: tagged, to: effective) }
        return upward
    }

    /// From the first set, not from the tag's: an id may have been replaced within one version.
    private func walkUp(from id: ItemID, to effective: PublishedSet) -> Fate {
        var current = id
        for published in sets where published.version <= effective.version {
            if let heir = published.set.items.first(where: { $0.replaces.contains(current) }) {
                current = heir.id
            } else if let retired = published.set.retired.first(where: { $0.id == current }) {
                return .ends(retired)
            }
        }
        return effective.set.item(current).map(Fate.lands) ?? .lost
    }

    /// After a downgrade: what the newer item had taken over, back to what the older version has.
    private func walkBack(from id: ItemID, taggedAt tagged: AppVersion, to effective: PublishedSet) -> Fate {
        var current = id
        for published in sets.reversed() where published.version > effective.version && published.version <= tagged {
            guard let item = published.set.item(current), let first = item.replaces.first else { continue }
            if let landing = item.replaces.lazy.compactMap(effective.set.item).first { return .lands(landing) }
            current = first
        }
        return effective.set.item(current).map(Fate.lands) ?? .lost
    }

    /// What became of every id that the sets up to the effective one speak of, as `fate` has it for a tag that is not from the
    /// future: by id, ascending, in one pass over the sets.
    func fates(upTo effective: PublishedSet) -> [(id: ItemID, fate: Fate)] {
        let past = sets.prefix { $0.version <= effective.version }
        let known = past.reduce(into: Set<ItemID>()) { $0.formUnion($1.set.mentionedIDs) }
        // The ids that have become one, by that one.
        var origins = Dictionary(uniqueKeysWithValues: known.map { ($0, [$0]) })
        var ended: [ItemID: RetiredItem] = [:]
        for published in past {
            var inherited: [(heir: ItemID, ids: [ItemID])] = []
            for item in published.set.items {
                for former in item.replaces {
                    if let ids = origins.removeValue(forKey: former) { inherited.append((item.id, ids)) }
                }
            }
            for retired in published.set.retired {
                for id in origins.removeValue(forKey: retired.id) ?? [] { ended[id] = retired }
            }
            for (heir, ids) in inherited { origins[heir, default: []] += ids }
        }
        var fates = ended.mapValues(Fate.ends)
        for (current, ids) in origins {
            let fate = effective.set.item(current).map(Fate.lands) ?? .lost
            for id in ids { fates[id] = fate }
        }
        return fates.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
