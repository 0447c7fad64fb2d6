import QuickActions

/// The part of an `AppSnapshot` that a fetch for one version and audience depends on: of the app's sets only the one in effect.
package struct EffectiveSnapshot: Sendable {
    package let app: App
    /// For each audience with a timeline, the version at which its first set takes effect.
    package let firstVersions: [Audience: AppVersion]
    /// The audience that is served: the requested one if it has a timeline, else `default`.
    package let audience: Audience
    /// Nil for a version older than every set of the audience.
    package let effective: PublishedSet?
    /// The versions for which `effective` is in effect; nil without a set.
    package let range: EffectiveRange?
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// See `AppSnapshot.nextPublish`.
    package let nextPublish: Timestamp?
    /// See `AppSnapshot.lastRevision`.
    package let lastRevision: Int64
    /// See `AppSnapshot.isStale`.
    package private(set) var isStale: Bool

    package init(
        app: App, firstVersions: [Audience: AppVersion], audience: Audience, effective: PublishedSet?,
        range: EffectiveRange?, releases: [Release], nextPublish: Timestamp?, lastRevision: Int64 = 0, isStale: Bool = false
    ) {
        self.app = app
        self.firstVersions = firstVersions
        self.audience = audience
        self.effective = effective
        self.range = range
        self.releases = releases
        self.nextPublish = nextPublish
        self.lastRevision = lastRevision
        self.isStale = isStale
    }

    /// A copy marked as stale.
    package var asStale: EffectiveSnapshot {
        var snapshot = self
        snapshot.isStale = true
        return snapshot
    }

    /// How many dynamic items the system shows to a client: four, less its static items.
    package func visibleBudget(for client: AppBuild) -> Int {
        releases.visibleBudget(for: client)
    }
}

extension EffectiveSnapshot {
    /// Selects the set in effect by the versions at which sets begin, and loads only that one.
    /// - Parameters:
    ///   - versions: by audience with sets, the versions at which they begin.
    ///   - set: loads the set that begins at a version.
    package init<E: Error>(
        of app: App, _ versions: [Audience: [AppVersion]], for version: AppVersion, _ audience: Audience, releases: [Release],
        nextPublish: Timestamp?, lastRevision: Int64, isStale: Bool = false, set: (Audience, AppVersion) throws(E) -> PublishedSet?
    ) throws(E) {
        let served = versions[audience] == nil ? .default : audience
        let range = EffectiveRange(containing: version, between: versions[served] ?? [])
        let effective: PublishedSet? = if let range { try set(served, range.from) } else { nil }
        self.init(
            app: app, firstVersions: versions.compactMapValues { $0.min() }, audience: served, effective: effective, range: range,
            releases: releases, nextPublish: nextPublish, lastRevision: lastRevision, isStale: isStale)
    }
}

extension AppSnapshot {
    package func effective(for version: AppVersion, _ audience: Audience) -> EffectiveSnapshot {
        EffectiveSnapshot(
            of: app, timelines.mapValues { $0.sets.map(\.version) }, for: version, audience, releases: releases, nextPublish: nextPublish,
            lastRevision: lastRevision, isStale: isStale
        ) { audience, version in timelines[audience]?.set(startingAt: version) }
    }
}

extension [Release] {
    /// The release whose static items a client shows: the greatest one that is not above the client.
    func release(for client: AppBuild) -> Release? {
        last { !$0.id.isAbove(client) }
    }

    func visibleBudget(for client: AppBuild) -> Int {
        release(for: client)?.visibleBudget ?? visibleMenuItems
    }
}

extension Release {
    /// How many dynamic items the system shows beside the release's static ones.
    package var visibleBudget: Int { max(0, visibleMenuItems - staticItems.count) }
}
