import QuickActions

/// What a fetch for one version and audience depends on: of the app's sets only the one in effect.
package struct EffectiveSnapshot: Sendable {
    package let app: App
    /// The audiences that have a timeline, each with the version at which its first set begins.
    package let firstVersions: [Audience: AppVersion]
    /// The audience that is served: the one asked for where it has a timeline, else `default`.
    package let audience: Audience
    /// Nil for a version older than every set of the audience.
    package let effective: PublishedSet?
    /// Where the next set of the timeline takes over; nil where none does.
    package let until: AppVersion?
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// The next time at which a draft of the app is to be published.
    package let nextPublish: Timestamp?
    /// Whether it is what was last read, because the store cannot be read.
    package private(set) var mayBeOutdated: Bool

    package init(
        app: App, firstVersions: [Audience: AppVersion], audience: Audience, effective: PublishedSet?, until: AppVersion?,
        releases: [Release], nextPublish: Timestamp?, mayBeOutdated: Bool = false
    ) {
        self.app = app
        self.firstVersions = firstVersions
        self.audience = audience
        self.effective = effective
        self.until = until
        self.releases = releases
        self.nextPublish = nextPublish
        self.mayBeOutdated = mayBeOutdated
    }

    /// The same, read at some time before.
    package var lastRead: EffectiveSnapshot {
        var snapshot = self
        snapshot.mayBeOutdated = true
        return snapshot
    }

    /// How many dynamic items the system shows to a client: four, less its static items.
    package func visibleBudget(for client: AppBuild) -> Int {
        releases.visibleBudget(for: client)
    }
}

extension EffectiveSnapshot {
    /// Decides from where the sets begin which one a client is served, and asks for that one only.
    /// - Parameters:
    ///   - versions: of each audience that has sets, where they begin, ascending.
    ///   - set: the set that begins there.
    package init<E: Error>(
        of app: App, _ versions: [Audience: [AppVersion]], for version: AppVersion, _ audience: Audience, releases: [Release],
        nextPublish: Timestamp?, mayBeOutdated: Bool = false, set: (Audience, AppVersion) throws(E) -> PublishedSet?
    ) throws(E) {
        let served = versions[audience] == nil ? .default : audience
        let timeline = versions[served] ?? []
        let effective: PublishedSet? =
            if let start = timeline.last(where: { $0 <= version }) { try set(served, start) } else { nil }
        self.init(
            app: app, firstVersions: versions.compactMapValues(\.first), audience: served, effective: effective,
            until: timeline.first { $0 > version }, releases: releases, nextPublish: nextPublish, mayBeOutdated: mayBeOutdated)
    }
}

extension AppSnapshot {
    package func effective(for version: AppVersion, _ audience: Audience) -> EffectiveSnapshot {
        EffectiveSnapshot(
            of: app, timelines.mapValues { $0.sets.map(\.version) }, for: version, audience, releases: releases, nextPublish: nextPublish,
            mayBeOutdated: mayBeOutdated
        ) { audience, version in timelines[audience]?.set(startingAt: version) }
    }
}

extension [Release] {
    /// The release whose static items a client shows: the greatest that is not above it.
    func release(for client: AppBuild) -> Release? {
        last { !$0.id.isAbove(client) }
    }

    func visibleBudget(for client: AppBuild) -> Int {
        release(for: client)?.visibleBudget ?? visibleMenuItems
    }
}

extension Release {
    /// How many dynamic items the system shows beside its static ones.
    package var visibleBudget: Int { max(0, visibleMenuItems - staticItems.count) }
}
