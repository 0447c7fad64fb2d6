import QuickActions

/// Computes the warnings of the sets that an apply changes, from the state of the app after all changes.
struct ApplyWarnings {
    private let previous: AppSnapshot?
    private let after: AppSnapshot

    /// See `AppReader.publishedIDs`.
    typealias Known = (Set<ItemID>, Audience) throws(Failure) -> Set<ItemID>

    init(previous: AppSnapshot?, after: AppSnapshot) {
        self.previous = previous
        self.after = after
    }

    /// - Parameter room: how many bytes of warnings fit in the answer. When it reaches zero, no more warnings are computed, and the
    ///   remaining changes are listed without them.
    func of(_ revisions: [Revision], known: Known, room: inout Int) throws(Failure) -> [(Revision, [Warning])] {
        let deletions = deletions(among: revisions)
        let ids = after.timelines.mapValues { timeline in Set(timeline.sets.flatMap { $0.set.items.map(\.id) }) }
        var published: [Audience: (ids: Set<ItemID>, forgotten: [AppVersion: [ForgottenID]])] = [:]
        for (audience, revisions) in Dictionary(grouping: revisions.filter { $0.set != nil }, by: \.audience) {
            let succeeded = revisions.reduce(into: Set<ItemID>()) { $0.formUnion($1.set?.succeededIDs ?? []) }
            let known = try known(succeeded, audience).union(ids[audience] ?? [])
            let forgotten = after.ownTimeline(of: audience).forgottenIDs(among: known, at: Set(revisions.map(\.version)))
            published[audience] = (known, forgotten)
        }
        var warned: [(Revision, [Warning])] = []
        for revision in revisions {
            let warnings = room > 0 ? warnings(of: revision) : []
            room -= warnings.reduce(0) { $0 + $1.message.utf8.count }
            warned.append((revision, warnings))
        }
        return warned

        func warnings(of revision: Revision) -> [Warning] {
            guard let set = revision.set else { return deletions[revision.audience]?[revision.version] ?? [] }
            let (ids, forgotten) = published[revision.audience] ?? ([], [:])
            let context = SetContext(
                set, from: revision.version, in: after.ownTimeline(of: revision.audience), replacing: previous?.set(SetName(revision)),
                of: after, known: ids, forgotten: forgotten[revision.version] ?? [])
            return context.warnings
        }
    }

    /// Warnings about ids that resolve after the publishes but no longer after the deletions.
    private func deletions(among revisions: [Revision]) -> [Audience: [AppVersion: [Warning]]] {
        let deleted = Dictionary(grouping: revisions.filter { $0.set == nil }, by: \.audience).mapValues { Set($0.map(\.version)) }
        let published = previous?.after(revisions.filter { $0.set != nil })
        return Dictionary(
            uniqueKeysWithValues: deleted.map { audience, versions in
                let timeline = published?.ownTimeline(of: audience) ?? Timeline(audience: audience, sets: [])
                return (audience, timeline.warningsOfDeleting(versions, fallback: after.timeline(for: .default)))
            })
    }
}
