import QuickActions

extension Timeline {
    /// The ids that a tap resolves now and would not any more at some version from the deleted set's on: what it said is
    /// forgotten, and an app older than every set that is left resolves nothing.
    ///
    /// - Parameter fallback: what an audience without a timeline is served.
    func warningsOfDeleting(_ deleted: PublishedSet, otherwise fallback: Timeline) -> [Warning] {
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
        switch fate(of: id, at: version, taggedAt: version, .past) {
        case .lands, .ends: return true
        case .lost: return false
        }
    }
}
