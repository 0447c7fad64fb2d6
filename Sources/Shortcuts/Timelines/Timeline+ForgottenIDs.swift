import QuickActions

/// An id that was published once and that resolves to nothing where a set takes effect, nor by any later set.
struct ForgottenID {
    /// For each set, how many are named at most.
    fileprivate static let most = 200

    let id: ItemID
    /// Its last successor up to the set below; itself where it has none. A set that has this, replaces it or retires it resolves the id.
    let last: ItemID
}

extension Timeline {
    /// One pass over the sets, since an apply may publish hundreds of them. An id that is forgotten by a set is forgotten by all later ones.
    /// - Parameter published: ids that were ever published in the timeline.
    /// - Returns: by version of a set, ascending by id.
    func forgottenIDs(among published: Set<ItemID>, at versions: Set<AppVersion>) -> [AppVersion: [ForgottenID]] {
        var lastMentions: [ItemID: AppVersion] = [:]
        for each in sets {
            for id in each.set.mentionedIDs { lastMentions[id] = each.version }
        }
        let mentionedLast = Dictionary(grouping: lastMentions, by: \.value).mapValues { $0.map(\.key) }
        // By the last successor so far: all ids whose chain leads to it.
        var origins = Dictionary(uniqueKeysWithValues: published.map { ($0, [$0]) })
        // By `id`, at most `ForgottenID.most`.
        var open = published.filter { lastMentions[$0] == nil }.map { ForgottenID(id: $0, last: $0) }.named
        var forgotten: [AppVersion: [ForgottenID]] = [:]
        for each in sets {
            if versions.contains(each.version) { forgotten[each.version] = open }
            var moved: [(successor: ItemID, ids: [ItemID])] = []
            for item in each.set.items {
                for replaced in item.replaces {
                    if let ids = origins.removeValue(forKey: replaced) { moved.append((item.id, ids)) }
                }
            }
            for retired in each.set.retired { origins[retired.id] = nil }
            for (successor, ids) in moved { origins[successor, default: []] += ids }
            for last in mentionedLast[each.version] ?? [] { open += (origins[last] ?? []).map { ForgottenID(id: $0, last: last) } }
            open = open.named
        }
        return forgotten
    }
}

extension [ForgottenID] {
    /// The first ones by id, as many as are named.
    fileprivate var named: [ForgottenID] { Array(sorted { $0.id < $1.id }.prefix(ForgottenID.most)) }
}
