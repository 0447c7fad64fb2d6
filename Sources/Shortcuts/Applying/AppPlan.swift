import QuickActions

/// The changes of an apply to one app, without what is already stored.
package struct AppPlan: Sendable {
    package struct ReleaseChange: Sendable {
        package let release: Release
        package let previous: Release?
        package let effect: ReleaseEffect
    }

    package struct SetChange: Sendable {
        /// The revision to write. If drafts are saved instead, it has the content of the draft.
        package let revision: Revision
        package let previous: PublishedSet?
        package let warnings: [Warning]
        /// In a dry run: the last revision that published the same document for this set; nil if no revision did.
        package var published: Int64?
    }

    let tree: AppTree
    /// The stored app; nil if it is new.
    package let former: AppSnapshot?
    /// The app after all of its changes. The sets count as published.
    package let after: AppSnapshot
    /// In `AppBuild.releaseOrder`.
    package let releases: [ReleaseChange]
    /// Deletions first, then ascending by audience and version.
    package var sets: [SetChange]
    /// Whether the sets are saved as drafts, because the app requires approvals.
    package let savesDrafts: Bool
    /// Why an owner bypasses or lowers the approvals that the app requires; nil if no approvals are missing.
    package let override: OverrideReason?
    private let state: ApplyState

    package var id: AppID { tree.id }
    package var changesApp: Bool { former?.app != after.app }
    /// Whether an audience gets its first set or loses its last one. All of its versions are then served from another timeline.
    package var changesAudiences: Bool { Set(after.timelines.keys) != Set(former.map { Array($0.timelines.keys) } ?? []) }
    package var isEmpty: Bool { !changesApp && releases.isEmpty && sets.isEmpty }

    /// The app's revision after the apply.
    package var revision: Int64 { savesDrafts ? state.lastRevision : after.lastRevision }
    /// The app's stored revision, which `base` names.
    package var formerRevision: Int64 { state.revision }

    /// - Parameters:
    ///   - known: see `AppReader.publishedIDs`.
    ///   - room: see `ApplyWarnings.of`.
    /// - Throws: what `known` throws; `unknownApp`. No other rule is checked here.
    init(
        _ tree: AppTree, in state: ApplyState, _ options: ApplyOptions,
        known: ApplyWarnings.Known, room: inout Int, by author: Author
    ) throws(Failure) {
        let former = state.snapshot
        guard let app = tree.app?.app(after: former?.app) ?? former?.app else { throw .undescribedApp(tree.id) }
        let releases = tree.changedReleases(since: former)
        let changes = tree.changes(since: former, prunes: options.prunes)
        let revisions = changes.revisions(after: state.lastRevision, by: author)
        let after = AppSnapshot(
            app: app, timelines: former?.timelines ?? [:], releases: (former?.releases ?? []).replacing(releases.map(\.release)),
            nextPublish: former?.nextPublish, lastRevision: state.lastRevision
        ).after(revisions)
        let warnings = try ApplyWarnings(former: former, after: after).of(revisions, known: known, room: &room)
        self.tree = tree
        self.state = state
        self.former = former
        self.after = after
        self.releases = releases
        sets = warnings.map { revision, warnings in
            SetChange(revision: revision, previous: former?.set(SetKey(revision)), warnings: warnings)
        }
        let needsApprovals = max(former?.app.approvals ?? 0, app.approvals) > 0 && !sets.isEmpty
        savesDrafts = needsApprovals && options.override == nil
        override = needsApprovals || app.approvals < former?.app.approvals ?? 0 ? options.override : nil
    }
}

extension AppPlan {
    /// What the app holds after the apply. Sets that are saved as drafts do not count.
    package var use: AppQuota.Use {
        guard savesDrafts else { return after.use }
        let published = AppSnapshot(app: after.app, timelines: former?.timelines ?? [:], releases: after.releases)
        return published.use
    }
}

extension AppSnapshot {
    /// What counts against the quota, without drafts and schedule.
    package var use: AppQuota.Use {
        var use = AppQuota.Use()
        use.releases = releases.count
        use.sets = timelines.values.reduce(0) { $0 + $1.sets.count }
        use.bytes = timelines.values.reduce(releases.reduce(0) { $0 + $1.estimatedSize }) { sum, timeline in
            timeline.sets.reduce(sum) { $0 + $1.set.estimatedSize }
        }
        return use
    }
}

extension AppTree {
    fileprivate func changedReleases(since former: AppSnapshot?) -> [AppPlan.ReleaseChange] {
        let changed = releases.compactMap { planned -> (release: Release, previous: Release?)? in
            let previous = former?.releases.first { $0.id == planned.release.id }
            let release = planned.keepsAssets ? planned.release.keepingAssets(of: previous) : planned.release
            guard release.canonicalJSON != previous?.canonicalJSON else { return nil }
            return (release, previous)
        }
        let after = (former?.releases ?? []).replacing(changed.map(\.release))
        return changed.map { release, previous in
            AppPlan.ReleaseChange(
                release: release, previous: previous, effect: ReleaseEffect(of: release.id, in: former, leaving: after))
        }
    }

    /// The keys of the sets that change, with their new content; nil for a deletion. Deletions first.
    fileprivate func changes(since former: AppSnapshot?, prunes: Bool) -> [(SetKey, ShortcutSet?)] {
        let named = Set(sets.map(\.key))
        let pruned = prunes ? (former?.keys ?? []).filter { !named.contains($0) } : []
        let changed = sets.filter { tree in former?.set(tree.key).map { !$0.set.hasSameDocument(as: tree.set) } ?? true }
        return pruned.map { ($0, nil) } + changed.map { ($0.key, $0.set) }
    }
}

extension [(SetKey, ShortcutSet?)] {
    fileprivate func revisions(after last: Int64, by author: Author) -> [Revision] {
        enumerated().map { index, change in
            Revision(
                number: last + 1 + Int64(index), kind: change.1 == nil ? .deleted : .published, version: change.0.version,
                audience: change.0.audience, publishedAt: author.at, by: author.token, set: change.1)
        }
    }
}

extension AppSnapshot {
    /// The keys of all published sets, ascending.
    var keys: [SetKey] {
        timelines.values.flatMap { timeline in
            timeline.sets.map { SetKey(version: $0.version, audience: timeline.audience) }
        }.sorted()
    }

    func set(_ key: SetKey) -> PublishedSet? {
        timelines[key.audience]?.set(startingAt: key.version)
    }

    /// The app with all revisions applied. Each revision is of another set.
    func after(_ revisions: [Revision]) -> AppSnapshot {
        var timelines = timelines
        for (audience, revisions) in Dictionary(grouping: revisions, by: \.audience) {
            let changed = Set(revisions.map(\.version))
            let kept = ownTimeline(of: audience).sets.filter { !changed.contains($0.version) }
            let sets = kept + revisions.compactMap { PublishedSet($0) }
            timelines[audience] = sets.isEmpty ? nil : Timeline(audience: audience, sets: sets)
        }
        return AppSnapshot(
            app: app, timelines: timelines, releases: releases, nextPublish: nextPublish,
            lastRevision: revisions.map(\.number).max() ?? lastRevision)
    }
}

extension [Release] {
    /// Replaces releases by those in `changed` with the same id. The result is not sorted.
    package func replacing(_ changed: [Release]) -> [Release] {
        let ids = Set(changed.map(\.id))
        return filter { !ids.contains($0.id) } + changed
    }
}
