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

    /// - Parameter revisions: deletions first.
    func of(_ revisions: [Revision], known: Known) throws(Failure) -> [(Revision, [Warning])] {
        // Each id that becomes unresolvable is named by one deletion: they are followed one after the other, behind the publishes.
        var timelines = published(revisions)
        return try revisions.map { revision throws(Failure) in
            guard let set = revision.set else {
                let timeline = timelines[revision.audience] ?? Timeline(audience: revision.audience, sets: [])
                timelines[revision.audience] = timeline.replacing(revision.version, with: nil)
                guard let deleted = timeline.set(startingAt: revision.version) else { return (revision, []) }
                return (revision, timeline.warningsOfDeleting(deleted, fallback: after.timeline(for: .default)))
            }
            return (revision, try warnings(of: set, revision, known: known))
        }
    }

    /// The timelines with everything published and nothing deleted.
    private func published(_ revisions: [Revision]) -> [Audience: Timeline] {
        revisions.reduce(into: former?.timelines ?? [:]) { timelines, revision in
            guard let set = PublishedSet(revision) else { return }
            let timeline = timelines[revision.audience] ?? Timeline(audience: revision.audience, sets: [])
            timelines[revision.audience] = timeline.replacing(revision.version, with: set)
        }
    }

    private func warnings(of set: ShortcutSet, _ revision: Revision, known: Known) throws(Failure) -> [Warning] {
        let timeline = after.ownTimeline(of: revision.audience)
        let ids = Set(timeline.sets.flatMap { $0.set.items.map(\.id) })
        let known = try known(set.succeededIDs.subtracting(ids), revision.audience).union(ids)
        return SetContext(
            set, from: revision.version, in: timeline, replacing: former?.set(SetKey(revision)), of: after, known: known
        ).warnings
    }
}
