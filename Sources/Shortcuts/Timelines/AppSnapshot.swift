import QuickActions

/// Everything that decides an answer about an app, read in one transaction.
package struct AppSnapshot: Sendable {
    package let app: App
    /// Timelines with at least one published set; drafts alone are no timeline.
    package let timelines: [Audience: Timeline]
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// The next time at which a draft of the app is to be published.
    package let nextPublish: Timestamp?
    /// Whether it is what was last read, because the store cannot be read.
    package private(set) var mayBeOutdated = false

    /// The same, read at some time before.
    package var lastRead: AppSnapshot {
        var snapshot = self
        snapshot.mayBeOutdated = true
        return snapshot
    }

    package init(app: App, timelines: [Audience: Timeline], releases: [Release], nextPublish: Timestamp? = nil) {
        self.app = app
        self.nextPublish = nextPublish
        self.timelines = timelines
        self.releases = releases.sorted { AppBuild.releaseOrder($0.id, $1.id) }
    }

    /// The app once the revision stands.
    package func after(_ revision: Revision) -> AppSnapshot {
        let timeline = ownTimeline(of: revision.audience).replacing(revision.version, with: PublishedSet(revision))
        var timelines = timelines
        timelines[revision.audience] = timeline.sets.isEmpty ? nil : timeline
        return AppSnapshot(app: app, timelines: timelines, releases: releases, nextPublish: nextPublish)
    }

    /// The timeline that an audience's publishes stand in; empty where it has none.
    package func ownTimeline(of audience: Audience) -> Timeline {
        timelines[audience] ?? Timeline(audience: audience, sets: [])
    }

    /// The timeline an audience is served from: its own, else the default one.
    package func timeline(for audience: Audience) -> Timeline {
        timelines[audience] ?? timelines[.default] ?? Timeline(audience: .default, sets: [])
    }

    /// The release whose static items a client shows: the greatest that is not above it.
    package func release(for client: AppBuild) -> Release? {
        releases.release(for: client)
    }
}

/// The system shows four quick actions, static ones first.
package let visibleMenuItems = 4
