import QuickActions

/// An audience's sets in the order of their versions. A set is in effect from its version up to the next set's version, so sets
/// neither overlap nor leave a gap.
package struct Timeline: Sendable {
    package let audience: Audience
    /// Ascending by version, each version once.
    package let sets: [PublishedSet]

    package init(audience: Audience, sets: [PublishedSet]) {
        self.audience = audience
        self.sets = sets.sorted { $0.version < $1.version }
    }

    /// The set in effect: the one that begins at the greatest version not above `version`.
    package func effectiveSet(for version: AppVersion) -> PublishedSet? {
        sets.last { $0.version <= version }
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

    /// - Parameter new: nil removes the set.
    package func replacing(_ version: AppVersion, with new: PublishedSet?) -> Timeline {
        Timeline(audience: audience, sets: sets.filter { $0.version != version } + (new.map { [$0] } ?? []))
    }
}
