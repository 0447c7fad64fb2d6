import QuickActions

extension Timeline {
    /// Warns of the ids that taps resolve now and would not resolve after the deletion, for some version from the deleted set's on:
    /// its `replaces` and `retired` are gone, and a client older than every other set resolves nothing.
    /// - Parameter fallback: the timeline that an audience without one is served.
    func warningsOfDeleting(_ deleted: PublishedSet, fallback: Timeline) -> [Warning] {
        let rest = replacing(deleted.version, with: nil)
        let after = rest.sets.isEmpty && fallback.audience != audience ? fallback : rest
        let affected = (sets + after.sets).map(\.version).filter { $0 >= deleted.version }
        let lost = mentionedIDs.filter { id in affected.contains { resolves(id, at: $0) && !after.resolves(id, at: $0) } }
        return lost.sorted().map { id in
            Warning(
                path: .root["items"], code: "id-dropped", about: [id.description],
                message: "\(quoted(id.description)) becomes unresolvable: a tap on it is answered with removed.")
        }
    }

    private var mentionedIDs: Set<ItemID> {
        sets.reduce(into: []) { $0.formUnion($1.set.mentionedIDs) }
    }

    private func resolves(_ id: ItemID, at version: AppVersion) -> Bool {
        if effectiveSet(for: version)?.set.item(id) != nil { return true }
        if case .unknown = resolve(id, for: version, taggedAt: version, .past) { return false }
        return true
    }
}
