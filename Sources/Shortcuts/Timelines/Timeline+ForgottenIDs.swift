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
    /// One pass over the sets, since an apply may publish hundreds of them.
    /// - Parameter published: ids that were ever published in the timeline.
    /// - Returns: by version of a set, ascending by id.
    func forgottenIDs(among published: Set<ItemID>, at versions: Set<AppVersion>) -> [AppVersion: [ForgottenID]] {
        var lastMentions: [ItemID: AppVersion] = [:]
        for each in sets {
            for id in each.set.mentionedIDs { lastMentions[id] = each.version }
        }
        // By the last successor so far: all ids whose chain leads to it.
        var origins = Dictionary(uniqueKeysWithValues: published.map { ($0, [$0]) })
        var forgotten: [AppVersion: [ForgottenID]] = [:]
        for each in sets {
            if versions.contains(each.version) {
                let mentioned = each.set.mentionedIDs
                let open = origins.flatMap { last, ids in
                    let isResolved = mentioned.contains(last) || lastMentions[last].map { $0 > each.version } ?? false
                    return isResolved ? [] : ids.map { ForgottenID(id: $0, last: last) }
                }
                forgotten[each.version] = Array(open.sorted { $0.id < $1.id }.prefix(ForgottenID.most))
            }
            var moved: [(successor: ItemID, ids: [ItemID])] = []
            for item in each.set.items {
                for replaced in item.replaces {
                    if let ids = origins.removeValue(forKey: replaced) { moved.append((item.id, ids)) }
                }
            }
            for retired in each.set.retired { origins[retired.id] = nil }
            for (successor, ids) in moved { origins[successor, default: []] += ids }
        }
        return forgotten
    }
}
