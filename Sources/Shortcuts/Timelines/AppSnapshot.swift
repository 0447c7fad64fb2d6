import QuickActions

/// An app with its timelines and releases, read in one transaction: everything that an answer depends on.
package struct AppSnapshot: Sendable {
    package let app: App
    /// Only audiences with at least one published set.
    package let timelines: [Audience: Timeline]
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// The time of the next entry of the app's schedule.
    package let nextPublish: Timestamp?
    /// The app's revision counter: the last number that was given, whatever the version and audience; 0 if none was.
    package let lastRevision: Int64
    /// Whether the snapshot is from a cache because the store could not be read; it may lack the latest publishes.
    package private(set) var isStale = false

    /// A copy marked as stale.
    package var asStale: AppSnapshot {
        var snapshot = self
        snapshot.isStale = true
        return snapshot
    }

    package init(
        app: App, timelines: [Audience: Timeline], releases: [Release], nextPublish: Timestamp? = nil, lastRevision: Int64 = 0
    ) {
        self.app = app
        self.nextPublish = nextPublish
        self.lastRevision = lastRevision
        self.timelines = timelines
        self.releases = releases.sorted { AppBuild.releaseOrder($0.id, $1.id) }
    }

    /// The app with the revision applied.
    package func after(_ revision: Revision) -> AppSnapshot {
        let timeline = ownTimeline(of: revision.audience).replacing(revision.version, with: PublishedSet(revision))
        var timelines = timelines
        timelines[revision.audience] = timeline.sets.isEmpty ? nil : timeline
        return AppSnapshot(
            app: app, timelines: timelines, releases: releases, nextPublish: nextPublish, lastRevision: revision.number)
    }

    /// The timeline that a publish for the audience changes. Empty if the audience has none; its clients are then served `default`.
    package func ownTimeline(of audience: Audience) -> Timeline {
        timelines[audience] ?? Timeline(audience: audience, sets: [])
    }

    /// The timeline that an audience is served: its own, else the default one.
    package func timeline(for audience: Audience) -> Timeline {
        timelines[audience] ?? timelines[.default] ?? Timeline(audience: .default, sets: [])
    }

    /// The release whose static items a client shows: the greatest one that is not above the client.
    package func release(for client: AppBuild) -> Release? {
        releases.release(for: client)
    }
}

/// The Home Screen shows four quick actions, static ones first.
package let visibleMenuItems = 4
