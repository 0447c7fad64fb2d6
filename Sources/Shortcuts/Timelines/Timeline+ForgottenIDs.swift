import QuickActions

/// An id that was published once and that neither the set in question nor a later set resolves.
struct ForgottenID {
    /// How many ids are named per set, at most.
    fileprivate static let most = 200

    let id: ItemID
    /// The id's last successor before the set in question, or the id itself. A set that has, replaces or retires this id resolves `id`.
    let last: ItemID
}

extension Timeline {
    /// Takes one pass over the sets, because an apply may publish hundreds of them. An id that one set forgets is forgotten by all later
    /// sets.
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
    /// The first `most` ids, ascending.
    fileprivate var named: [ForgottenID] { Array(sorted { $0.id < $1.id }.prefix(ForgottenID.most)) }
}
