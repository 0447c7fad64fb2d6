import QuickActions

/// Everything that editors made, of every app or of some: what an export holds and an import brings back. No tokens, no
/// webhooks and their secrets, no audit, no statistics.
package struct Archive: Sendable {
    /// Ascending by id.
    package let apps: [ArchivedApp]
    /// What is left of deleted apps: a tag of theirs must never meet one of their numbers again. Ascending by id.
    package let deletedApps: [RevisionHistory]

    package init(apps: [ArchivedApp], deletedApps: [RevisionHistory]) {
        self.apps = apps
        self.deletedApps = deletedApps
    }

    package var ids: [AppID] { apps.map(\.app.id) + deletedApps.map(\.app) }
}

/// An app with all that is its own.
package struct ArchivedApp: Sendable {
    package let app: App
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// The revisions that stand, ascending by audience and version.
    package let sets: [Revision]
    /// Ascending by audience and version.
    package let drafts: [Draft]
    package let history: RevisionHistory

    package init(app: App, releases: [Release], sets: [Revision], drafts: [Draft], history: RevisionHistory) {
        self.app = app
        self.releases = releases
        self.sets = sets
        self.drafts = drafts
        self.history = history
    }

    package var snapshot: AppSnapshot {
        let timelines = Dictionary(grouping: sets, by: \.audience).map { audience, revisions in
            (audience, Timeline(audience: audience, sets: revisions.compactMap { PublishedSet($0) }))
        }
        return AppSnapshot(
            app: app, timelines: Dictionary(uniqueKeysWithValues: timelines), releases: releases,
            nextPublish: drafts.compactMap(\.schedule?.at).min())
    }
}

/// Every revision of an app's whole life, its former lives included.
package struct RevisionHistory: Sendable {
    /// An import brings no higher number: every client of the service reads this one exactly, and it leaves room above it.
    package static let greatestNumber: Int64 = 1 << 53 - 1

    package let app: AppID
    /// The number that was given last. Numbers only grow, so it may be above the last revision that is kept.
    package let lastRevision: Int64
    /// Ascending by number.
    package let revisions: [Revision]

    package init(app: AppID, lastRevision: Int64, revisions: [Revision]) {
        self.app = app
        self.lastRevision = lastRevision
        self.revisions = revisions
    }
}
