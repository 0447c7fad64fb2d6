import QuickActions

/// Computes the warnings of the sets that an apply changes, from the app as it is after all of them.
struct ApplyWarnings {
    private let former: AppSnapshot?
    private let after: AppSnapshot

    /// Filters the ids for those that were ever published for the audience.
    typealias Known = (Set<ItemID>, Audience) throws(Failure) -> Set<ItemID>

    init(former: AppSnapshot?, after: AppSnapshot) {
        self.former = former
        self.after = after
    }

    func of(_ revisions: [Revision], known: Known) throws(Failure) -> [(Revision, [Warning])] {
        let deletions = deletions(among: revisions)
        let ids = after.timelines.mapValues { timeline in Set(timeline.sets.flatMap { $0.set.items.map(\.id) }) }
        return try revisions.map { revision throws(Failure) in
            guard let set = revision.set else { return (revision, deletions[revision.audience]?[revision.version] ?? []) }
            return (revision, try warnings(of: set, revision, among: ids[revision.audience] ?? [], known: known))
        }
    }

    /// What the deletions make unresolvable of what is resolved with everything published.
    private func deletions(among revisions: [Revision]) -> [Audience: [AppVersion: [Warning]]] {
        let deleted = Dictionary(grouping: revisions.filter { $0.set == nil }, by: \.audience).mapValues { Set($0.map(\.version)) }
        let published = former?.after(revisions.filter { $0.set != nil })
        return Dictionary(
            uniqueKeysWithValues: deleted.map { audience, versions in
                let timeline = published?.ownTimeline(of: audience) ?? Timeline(audience: audience, sets: [])
                return (audience, timeline.warningsOfDeleting(versions, fallback: after.timeline(for: .default)))
            })
    }

    /// - Parameter ids: of all items of the audience.
    private func warnings(
        of set: ShortcutSet, _ revision: Revision, among ids: Set<ItemID>, known: Known
    ) throws(Failure) -> [Warning] {
        let timeline = after.ownTimeline(of: revision.audience)
        let known = try known(set.succeededIDs.subtracting(ids), revision.audience).union(set.succeededIDs.intersection(ids))
        return SetContext(
            set, from: revision.version, in: timeline, replacing: former?.set(SetKey(revision)), of: after, known: known
        ).warnings
    }
}
