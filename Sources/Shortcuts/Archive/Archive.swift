import QuickActions

/// The content of an export: everything that editors made, of all apps or of some. It does not contain tokens, webhooks, secrets, the audit
/// or the statistics.
package struct Archive: Sendable {
    /// Ascending by id.
    package let apps: [ArchivedApp]
    /// The revisions of deleted apps, ascending by id. They are stored because tags on devices contain their numbers, which must never be
    /// given again.
    package let deletedApps: [RevisionHistory]

    package init(apps: [ArchivedApp], deletedApps: [RevisionHistory]) {
        self.apps = apps
        self.deletedApps = deletedApps
    }

    package var ids: [AppID] { apps.map(\.app.id) + deletedApps.map(\.app) }
}

/// An app with its releases, sets, drafts, schedule and revisions.
package struct ArchivedApp: Sendable {
    package let app: App
    /// In `AppBuild.releaseOrder`.
    package let releases: [Release]
    /// The revisions that are published now, ascending by audience and version.
    package let sets: [Revision]
    /// Ascending by audience and version.
    package let drafts: [Draft]
    /// Ordered by time.
    package let schedule: [ScheduleEntry]
    package let history: RevisionHistory

    package init(
        app: App, releases: [Release], sets: [Revision], drafts: [Draft], schedule: [ScheduleEntry], history: RevisionHistory
    ) {
        self.app = app
        self.releases = releases
        self.sets = sets
        self.drafts = drafts
        self.schedule = schedule
        self.history = history
    }

    /// What the app holds, for its quota.
    package var use: AppQuota.Use {
        var use = snapshot.use
        (use.drafts, use.scheduled) = (drafts.count, schedule.count)
        let planned = schedule.reduce(0) { $0 + ($1.kind == .publish ? $1.set?.estimatedSize ?? 0 : 0) }
        use.preparedBytes = drafts.reduce(planned) { $0 + $1.set.estimatedSize }
        return use
    }

    package var snapshot: AppSnapshot {
        let timelines = Dictionary(grouping: sets, by: \.audience).map { audience, revisions in
            (audience, Timeline(audience: audience, sets: revisions.compactMap { PublishedSet($0) }))
        }
        return AppSnapshot(
            app: app, timelines: Dictionary(uniqueKeysWithValues: timelines), releases: releases,
            nextPublish: schedule.map(\.at).min(), lastRevision: history.lastRevision)
    }
}

/// Every revision of an app id, including those from before the app was deleted and created again.
package struct RevisionHistory: Sendable {
    /// The greatest number that an import may have. JSON readers with doubles are exact up to 2^53 (RFC 8259 section 6), which leaves room
    /// for all later revisions.
    package static let greatestNumber: Int64 = 1_000_000_000_000_000

    package let app: AppID
    /// The last number that was given. It may be above the last stored revision.
    package let lastRevision: Int64
    /// Ascending by number.
    package let revisions: [Revision]

    package init(app: AppID, lastRevision: Int64, revisions: [Revision]) {
        self.app = app
        self.lastRevision = lastRevision
        self.revisions = revisions
    }
}
