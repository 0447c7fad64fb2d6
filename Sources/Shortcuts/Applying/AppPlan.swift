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
        /// The revision that the end of a running campaign publishes from now on, with git's change. It is written first.
        package let afterCampaign: Revision?
        package let warnings: [Warning]
        /// Whether the content also has changes that somebody published on the service.
        package let isMerged: Bool
        /// The set's draft, unless it has the same content, and its entries of the schedule. Only for `ApplyMode.merge`.
        let draft: Draft?
        let scheduled: [ScheduleEntry]
        /// In a dry run: the last revision that published the same document for this set; nil if no revision did.
        package var published: Int64?
    }

    let tree: AppTree
    /// The stored app; nil if it is new.
    package let previous: AppSnapshot?
    /// The app after all of its changes. The sets count as published.
    package let after: AppSnapshot
    /// In `AppBuild.releaseOrder`.
    package let releases: [ReleaseChange]
    /// Deletions first, then ascending by audience and version.
    package var sets: [SetChange]
    /// Only for `ApplyMode.merge`; ascending by audience and version.
    package var drift: [Drift]
    package let conflicts: [ApplyConflict]
    /// The drafts to delete: an apply saved them, no other token edited them, and the tree does not contain them. Only for `ApplyMode.merge`.
    package let withdrawn: [Draft]
    /// The app's document, if it contains changes of both sides.
    let mergedApp: JSON?
    /// What git last sent, after the apply.
    package let applied: AppliedDocuments
    /// Whether the sets are saved as drafts, because the app requires approvals, or because only drafts are wanted.
    package let savesDrafts: Bool
    /// Why an owner bypasses or lowers the approvals that the app requires; nil if no approvals are missing.
    package let override: OverrideReason?
    private let onlySavesDrafts: Bool
    private let state: ApplyState

    package var id: AppID { tree.id }
    package var changesApp: Bool { previous?.app != after.app }
    /// Whether an audience gets its first set or loses its last one. All of its versions are then served from another timeline.
    package var changesAudiences: Bool { Set(after.timelines.keys) != Set(previous.map { Array($0.timelines.keys) } ?? []) }
    package var isEmpty: Bool { !changesContent && withdrawn.isEmpty }
    /// Whether anything but drafts changes.
    package var changesContent: Bool { changesApp || !releases.isEmpty || !sets.isEmpty }

    /// The app's revision after the apply.
    package var revision: Int64 { savesDrafts ? state.lastRevision : after.lastRevision }
    /// The app's stored revision, which `base` names.
    package var previousRevision: Int64 { state.revision }

    /// - Parameters:
    ///   - known: see `AppReader.publishedIDs`.
    ///   - room: see `ApplyWarnings.of`.
    /// - Throws: what `known` throws; `unknownApp`. No other rule is checked here.
    init(
        _ tree: AppTree, in state: ApplyState, _ options: ApplyOptions,
        known: ApplyWarnings.Known, room: inout Int, by author: Author
    ) throws(Failure) {
        let previous = state.snapshot
        if options.mode == .merge, previous == nil, state.lastRevision > 0, !options.recreates {
            throw .deletedApp(tree.id, state.deletion)
        }
        let comparison = try options.mode == .merge ? TreeComparison(tree, base: state.applied, live: previous, options) : nil
        if options.onlySavesDrafts, previous == nil { throw .unknownApp(tree.id) }
        let described = options.onlySavesDrafts ? nil : (comparison?.app ?? tree.app)?.app(after: previous?.app)
        guard let app = described ?? previous?.app else { throw .undescribedApp(tree.id) }
        let releases = options.onlySavesDrafts ? [] : tree.changedReleases(since: previous)
        let needsApprovals = max(previous?.app.approvals ?? 0, app.approvals) > 0
        let savesDrafts = needsApprovals && options.override == nil || options.onlySavesDrafts
        let wanted = comparison?.changes ?? tree.changes(since: previous, prunes: options.prunes)
        // A draft with the same content waits for approvals or for its time already.
        let changes = comparison != nil && savesDrafts ? wanted.filter { !state.hasDraft($0, of: $1) } : wanted
        let planned = changes.map { name, set in
            (name: name, set: set, afterCampaign: savesDrafts ? nil : state.contentAfterCampaign(name, git: tree.set(name)?.set))
        }
        let (revisions, afterCampaign) = planned.revisions(after: state.lastRevision, options.message, by: author)
        let after = AppSnapshot(
            app: app, timelines: previous?.timelines ?? [:], releases: (previous?.releases ?? []).replacing(releases.map(\.release)),
            nextPublish: previous?.nextPublish, lastRevision: state.lastRevision
        ).after(revisions)
        let warnings = try ApplyWarnings(previous: previous, after: after).of(revisions, known: known, room: &room)
        self.tree = tree
        self.state = state
        self.previous = previous
        self.after = after
        self.releases = releases
        sets = warnings.map { revision, warnings in
            let name = SetName(revision)
            return SetChange(
                revision: revision, previous: previous?.set(name), afterCampaign: afterCampaign[name], warnings: warnings,
                isMerged: comparison?.merged.contains(name) ?? false, draft: state.drafts.first { SetName($0) == name },
                scheduled: state.schedule.filter { $0.version == name.version && $0.audience == name.audience })
        }
        let decided = Set(wanted.map(\.0)).union(comparison?.conflicts.compactMap(\.name) ?? [])
        let token = options.onlySavesDrafts ? author.tokenID : nil
        withdrawn = comparison == nil ? [] : state.drafts.filter { !decided.contains(SetName($0)) && $0.isWithdrawn(by: tree, of: token) }
        drift = (comparison?.drift ?? []).map { drift in
            var drift = drift
            drift.revertsAt = drift.live.flatMap { state.revert(of: $0.revision)?.at }
            return drift
        }
        conflicts = comparison?.conflicts ?? []
        mergedApp = comparison.flatMap { $0.isAppMerged ? $0.app?.document : nil }
        let missing = state.applied.sets.keys.filter { tree.set($0) == nil && previous?.set($0) == nil }
        applied =
            options.onlySavesDrafts
            ? state.applied
            : state.applied.sending(
                tree, removed: Set(wanted.filter { $0.1 == nil }.map(\.0)).union(missing).union(comparison?.decided ?? []),
                drafted: savesDrafts ? Set(wanted.map(\.0)) : [])
        onlySavesDrafts = options.onlySavesDrafts
        self.savesDrafts = savesDrafts && !sets.isEmpty || options.onlySavesDrafts && !withdrawn.isEmpty
        override = needsApprovals && !sets.isEmpty || app.approvals < previous?.app.approvals ?? 0 ? options.override : nil
    }
}

extension AppPlan {
    /// What git last sent, as it is stored before the apply; nil if nothing is.
    package var recorded: AppliedDocuments? { state.isRecorded ? state.applied : nil }

    /// The set as the tree has it.
    /// - Returns: nil if the tree is not recorded as sent, because only drafts are saved.
    package func sent(_ version: AppVersion, _ audience: Audience) -> ShortcutSet? {
        onlySavesDrafts ? nil : tree.set(SetName(version: version, audience: audience))?.set
    }

    /// What the app holds after the apply. Sets that are saved as drafts do not count.
    package var use: AppQuota.Use {
        guard savesDrafts else { return after.use }
        let published = AppSnapshot(app: after.app, timelines: previous?.timelines ?? [:], releases: after.releases)
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
    fileprivate func changedReleases(since previous: AppSnapshot?) -> [AppPlan.ReleaseChange] {
        let changed = releases.compactMap { planned -> (release: Release, previous: Release?)? in
            let replaced = previous?.releases.first { $0.id == planned.release.id }
            let release = planned.keepsAssets ? planned.release.keepingAssets(of: replaced) : planned.release
            guard release.canonicalJSON != replaced?.canonicalJSON else { return nil }
            return (release, replaced)
        }
        let after = (previous?.releases ?? []).replacing(changed.map(\.release))
        return changed.map { release, replaced in
            AppPlan.ReleaseChange(
                release: release, previous: replaced, effect: ReleaseEffect(of: release.id, in: previous, leaving: after))
        }
    }

    /// The keys of the sets that change, with their new content; nil for a deletion. Deletions first.
    func changes(since previous: AppSnapshot?, prunes: Bool) -> [(SetName, ShortcutSet?)] {
        let named = Set(sets.map(\.key))
        let pruned = prunes ? (previous?.keys ?? []).filter { !named.contains($0) } : []
        let changed = sets.filter { tree in previous?.set(tree.key).map { !$0.set.hasSameDocument(as: tree.set) } ?? true }
        return pruned.map { ($0, nil) } + changed.map { ($0.key, $0.set) }
    }
}

extension [(name: SetName, set: ShortcutSet?, afterCampaign: ShortcutSet?)] {
    /// The revisions of the changes, and by set the revisions that the ends of campaigns publish.
    fileprivate func revisions(
        after last: Int64, _ message: RevisionMessage?, by author: Author
    ) -> ([Revision], [SetName: Revision]) {
        var last = last
        func next(_ name: SetName, _ set: ShortcutSet?) -> Revision {
            last += 1
            return Revision(
                number: last, kind: set == nil ? .deleted : .published, version: name.version, audience: name.audience,
                publishedAt: author.at, by: author.token, set: set, message: message)
        }
        var (revisions, afterCampaign): ([Revision], [SetName: Revision]) = ([], [:])
        for change in self {
            if let set = change.afterCampaign { afterCampaign[change.name] = next(change.name, set) }
            revisions.append(next(change.name, change.set))
        }
        return (revisions, afterCampaign)
    }
}

extension ApplyState {
    /// The entry that ends the campaign with this revision.
    fileprivate func revert(of revision: Int64) -> ScheduleEntry? {
        schedule.first { $0.automaticRevert == .from(revision: revision) }
    }

    /// What the end of a running campaign is to publish, with git's change.
    /// - Parameter git: the set in the tree; nil for a deletion, which ends the campaign.
    /// - Returns: nil without a campaign.
    fileprivate func contentAfterCampaign(_ name: SetName, git: ShortcutSet?) -> ShortcutSet? {
        guard let git, let live = snapshot?.set(name), let entry = revert(of: live.revision) else { return nil }
        guard case .restore(let content?) = entry.action else { return git }
        return SetMerge.resolved(base: applied.sets[name], mine: git, theirs: content.set) ?? git
    }

    fileprivate func hasDraft(_ name: SetName, of set: ShortcutSet?) -> Bool {
        guard let set else { return false }
        let scheduled = schedule.compactMap { entry in if case .publish(let draft, _) = entry.action { draft } else { nil } }
        return (drafts + scheduled).contains { SetName($0) == name && $0.hasSameDocument(as: set) }
    }
}

extension Draft {
    /// Whether an apply saved the draft, nobody else edited it, and the tree lacks what the apply saved.
    /// - Parameter token: of an apply that only saves drafts, whose drafts are recognized by their editor; nil for others.
    fileprivate func isWithdrawn(by tree: AppTree, of token: TokenID?) -> Bool {
        let saved = token == nil ? applied : applied == nil && editorIDs == [token] ? set : nil
        guard let saved, editorIDs.count == 1 else { return false }
        return !(tree.set(SetName(self))?.set.hasSameDocument(as: saved) ?? false)
    }
}

extension AppSnapshot {
    /// The keys of all published sets, ascending.
    var keys: [SetName] {
        timelines.values.flatMap { timeline in
            timeline.sets.map { SetName(version: $0.version, audience: timeline.audience) }
        }.sorted()
    }

    func set(_ key: SetName) -> PublishedSet? {
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

extension AppPlan {
    /// The violations of `Timeline.requireNoReusedIDs` in the app after the apply: one for each item whose id an earlier set replaces or
    /// retires. A pair of sets that the apply does not change is not checked.
    var reusedIDs: [Violation] {
        let changed = Set(sets.map { SetName($0.revision) })
        return after.timelines.values.sorted { $0.audience < $1.audience }.flatMap { timeline in
            reusedIDs(in: timeline, changed: Set(changed.filter { $0.audience == timeline.audience }.map(\.version)))
        }
    }

    private func reusedIDs(in timeline: Timeline, changed: Set<AppVersion>) -> [Violation] {
        guard !changed.isEmpty else { return [] }
        // By id: the first set that ends the id, and the first of the changed sets that ends it.
        var (ended, endedByChanged): ([ItemID: PublishedSet], [ItemID: PublishedSet]) = ([:], [:])
        var violations: [Violation] = []
        for later in timeline.sets {
            let isChanged = changed.contains(later.version)
            for (index, item) in later.set.items.enumerated() {
                guard let earlier = (isChanged ? ended : endedByChanged)[item.id] else { continue }
                violations.append(reuse(of: item.id, at: index, of: later, since: earlier, timeline.audience))
            }
            for id in later.set.succeededIDs {
                if ended[id] == nil { ended[id] = later }
                if isChanged, endedByChanged[id] == nil { endedByChanged[id] = later }
            }
        }
        return violations
    }

    private func reuse(
        of id: ItemID, at index: Int, of later: PublishedSet, since earlier: PublishedSet, _ audience: Audience
    ) -> Violation {
        let own = tree.set(SetName(version: later.version, audience: audience))?.path["items"][index]["id"]
        let other = tree.set(SetName(version: earlier.version, audience: audience)).map { $0.set.pathOfEnd(of: id, at: $0.path) }
        return Violation(
            path: (own ?? other ?? tree.path).description, code: Failure.Code.idReused.rawValue,
            message: "\(quoted(id.description)) would get a second meaning: the set of \(earlier.version) (audience \(audience)) replaces "
                + "or retires it, and the later set of \(later.version) has it as an item. Give the item a new id, or do not replace or "
                + "retire the old item.")
    }
}

extension ShortcutSet {
    /// The path at which the set replaces or retires the id.
    fileprivate func pathOfEnd(of id: ItemID, at path: DocumentPath) -> DocumentPath {
        for (index, item) in items.enumerated() {
            if let position = item.replaces.firstIndex(of: id) { return path["items"][index]["replaces"][position] }
        }
        guard let index = retired.firstIndex(where: { $0.id == id }) else { return path }
        return path["retired"][index]["id"]
    }
}
