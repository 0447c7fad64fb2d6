import QuickActions

extension AppPlan {
    /// The violations of `Timeline.requireNoReusedIDs` in the app after the apply: one for each item whose id an earlier set replaces or
    /// retires. A pair of sets that the apply does not change is not checked.
    var reusedIDs: [Violation] {
        let changed = Set(sets.map { SetKey($0.revision) })
        return after.timelines.values.sorted { $0.audience < $1.audience }.flatMap { timeline in
            reusedIDs(in: timeline, changed: Set(changed.filter { $0.audience == timeline.audience }.map(\.version)))
        }
    }

    private func reusedIDs(in timeline: Timeline, changed: Set<AppVersion>) -> [Violation] {
        guard !changed.isEmpty else { return [] }
        // By id: the first set that ends the id, and the first of the changed sets that ends it.
        var (ended, endedByChanged): ([ItemID: PublishedSet], [ItemID: PublishedSet]) = ([:], [:])
        var violations: [Violation] = []
        for later in timeline.sets {
            let isChanged = changed.contains(later.version)
            for (index, item) in later.set.items.enumerated() {
                guard let earlier = (isChanged ? ended : endedByChanged)[item.id] else { continue }
                violations.append(reuse(of: item.id, at: index, of: later, since: earlier, timeline.audience))
            }
            for id in later.set.succeededIDs {
                if ended[id] == nil { ended[id] = later }
                if isChanged, endedByChanged[id] == nil { endedByChanged[id] = later }
            }
        }
        return violations
    }

    private func reuse(
        of id: ItemID, at index: Int, of later: PublishedSet, since earlier: PublishedSet, _ audience: Audience
    ) -> Violation {
        let own = tree.set(SetKey(version: later.version, audience: audience))?.path["items"][index]["id"]
        let other = tree.set(SetKey(version: earlier.version, audience: audience)).map { $0.set.pathOfEnd(of: id, at: $0.path) }
        return Violation(
            path: (own ?? other ?? tree.path).description, code: Failure.Code.idReused.rawValue,
            message: "\(quoted(id.description)) would get a second meaning: the set of \(earlier.version) (audience \(audience)) replaces "
                + "or retires it, and the later set of \(later.version) has it as an item. Give the item a new id, or do not replace or "
                + "retire the old item.")
    }
}

extension ShortcutSet {
    /// The path at which the set replaces or retires the id.
    fileprivate func pathOfEnd(of id: ItemID, at path: DocumentPath) -> DocumentPath {
        for (index, item) in items.enumerated() {
            if let position = item.replaces.firstIndex(of: id) { return path["items"][index]["replaces"][position] }
        }
        guard let index = retired.firstIndex(where: { $0.id == id }) else { return path }
        return path["retired"][index]["id"]
    }
}
