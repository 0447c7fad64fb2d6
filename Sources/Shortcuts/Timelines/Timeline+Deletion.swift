import QuickActions

extension Timeline {
    /// Warns of ids that taps resolve now and would no longer resolve after the deletion, for some version from the deleted set's on. Its
    /// `replaces` and `retired` no longer apply, and a client older than every other set resolves nothing.
    /// - Parameter fallback: the timeline that an audience without sets is served.
    func warningsOfDeleting(_ deleted: PublishedSet, fallback: Timeline) -> [Warning] {
        warningsOfDeleting([deleted.version], fallback: fallback)[deleted.version] ?? []
    }

    /// The same for several deletions at once, by version. Each id is named once, for the lowest version at which it no longer resolves,
    /// with the last deletion up to that version.
    func warningsOfDeleting(_ versions: Set<AppVersion>, fallback: Timeline) -> [AppVersion: [Warning]] {
        let rest = Timeline(audience: audience, sets: sets.filter { !versions.contains($0.version) })
        let after = rest.sets.isEmpty && fallback.audience != audience ? fallback : rest
        var unnamed = mentionedIDs
        var lost: [AppVersion: [ItemID]] = [:]
        for version in Set((sets + after.sets).map(\.version)).sorted() {
            guard let deleted = versions.filter({ $0 <= version }).max() else { continue }
            let ids = unnamed.filter { resolves($0, at: version) && !after.resolves($0, at: version) }
            unnamed.subtract(ids)
            lost[deleted, default: []] += ids
        }
        return lost.mapValues { ids in
            ids.sorted().map { id in
                Warning(
                    path: .root["items"], code: "id-dropped", about: [id.description],
                    message: "\(quoted(id.description)) would have no rule: a tap on it gets the outcome \"removed\".")
            }
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
