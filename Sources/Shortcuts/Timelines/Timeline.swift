import QuickActions

/// The versions for which a set is in effect: from its own on, up to the next set's of the timeline.
package struct EffectiveRange: Equatable, Sendable {
    package let from: AppVersion
    /// Not included; nil for the last set.
    package let until: AppVersion?

    fileprivate init(from: AppVersion, until: AppVersion?) {
        self.from = from
        self.until = until
    }

    /// - Parameter starts: the versions at which the timeline's sets begin, in any order.
    /// - Returns: nil if all sets begin at later versions.
    package init?(containing version: AppVersion, between starts: some Sequence<AppVersion>) {
        var (from, until): (AppVersion?, AppVersion?)
        for start in starts {
            if start <= version { from = max(from ?? start, start) } else { until = min(until ?? start, start) }
        }
        guard let from else { return nil }
        self.init(from: from, until: until)
    }

    package func contains(_ version: AppVersion) -> Bool {
        from <= version && until.map { version < $0 } ?? true
    }
}

/// An audience's sets in the order of their versions. A set is in effect from its version up to the next set's version, so sets
/// neither overlap nor leave a gap.
package struct Timeline: Sendable {
    package let audience: Audience
    /// Ascending by version, each version once.
    package let sets: [PublishedSet]

    package init(audience: Audience, sets: [PublishedSet]) {
        self.init(audience: audience, ascending: sets.sorted { $0.version < $1.version })
    }

    private init(audience: Audience, ascending sets: [PublishedSet]) {
        self.audience = audience
        self.sets = sets
    }

    /// The sets, and their candidates as if they were sets. The rules of ids and languages hold for both.
    var arms: [PublishedSet] {
        sets.flatMap { set in [set, set.candidate?.published(from: set.version)].compactMap(\.self) }
    }

    package func effectiveSet(for version: AppVersion) -> PublishedSet? {
        sets.last { $0.version <= version }
    }

    /// The versions for which a set that begins at `start` is or would be in effect.
    package func range(from start: AppVersion) -> EffectiveRange {
        EffectiveRange(from: start, until: sets.first { $0.version > start }?.version)
    }

    package func set(startingAt version: AppVersion) -> PublishedSet? {
        sets.first { $0.version == version }
    }

    /// - Throws: `unknownResource`, with the version at which the set in effect begins.
    package func requireSet(startingAt version: AppVersion) throws(Failure) -> PublishedSet {
        guard let set = set(startingAt: version) else {
            throw .unknownSet(version, audience, inEffect: effectiveSet(for: version)?.version)
        }
        return set
    }

    /// - Parameter new: begins at the version; nil removes the set.
    package func replacing(_ version: AppVersion, with new: PublishedSet?) -> Timeline {
        let start = sets.firstIndex { $0.version >= version } ?? sets.endIndex
        let end = start < sets.endIndex && sets[start].version == version ? start + 1 : start
        return Timeline(audience: audience, ascending: Array(sets[..<start]) + (new.map { [$0] } ?? []) + sets[end...])
    }
}

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
            let ids = each.set.mentionedIDs.union(each.candidate?.set.mentionedIDs ?? [])
            for id in ids { lastMentions[id] = each.version }
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

extension Timeline {
    /// Checks that no id gets another meaning: an id that a set replaces or retires cannot be an item of a later set.
    /// - Throws: `idReused`.
    func requireNoReusedIDs(in set: ShortcutSet, from version: AppVersion) throws(Failure) {
        let violations = reusedIDs(in: set, from: version)
        guard violations.isEmpty else {
            let named = violations.map(\.message).joined(separator: " ")
            throw Failure(.idReused, named, violations: violations)
        }
    }

    /// A violation for each id that would have two meanings if the set began at the version.
    func reusedIDs(in set: ShortcutSet, from version: AppVersion) -> [Violation] {
        var violations: [Violation] = []
        let ended = set.succeededIDs
        for other in arms where other.version != version {
            let isEarlier = other.version < version
            let endedHere = isEarlier ? other.set.succeededIDs : ended
            for (index, item) in (isEarlier ? set : other.set).items.enumerated() where endedHere.contains(item.id) {
                let path = isEarlier ? DocumentPath.root["items"][index]["id"].description : ""
                let isCandidate = !sets.contains { $0.revision == other.revision }
                let named = "\(isCandidate ? "candidate" : "set") of \(other.version) (revision \(other.revision))"
                let reason =
                    (isEarlier
                        ? "the \(named) replaces or retires it. Give the item a new id"
                        : "it is an item of the later \(named). Do not replace or retire it here")
                    + (isCandidate ? ", or stop the roll-out first" : "")
                violations.append(
                    Violation(
                        path: path, code: "id-reused",
                        message: "\(quoted(item.id.description)) would get a second meaning: \(reason)."))
            }
        }
        return violations
    }
}
