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

extension AppSnapshot {
    package func effective(for version: AppVersion, _ audience: Audience) -> EffectiveSnapshot {
        let timeline = timeline(for: audience)
        return EffectiveSnapshot(
            app: app, firstVersions: timelines.compactMapValues { $0.sets.first?.version }, audience: timeline.audience,
            effective: timeline.effectiveSet(for: version), until: timeline.sets.first { $0.version > version }?.version,
            releases: releases, nextPublish: nextPublish, mayBeOutdated: mayBeOutdated)
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
