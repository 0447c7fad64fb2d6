import QuickActions
import Shortcuts

extension Store {
    package func apply(_ request: ApplyRequest, dryRun: Bool, by author: Author) throws(Failure) -> ApplyPlan {
        guard !dryRun else {
            return try database.read(within: .bulkRead) { connection throws(Failure) in
                try connection.notingPublished(
                    in: connection.plan(request, snapshots, configuration.quota, isCommitted: true, by: author))
            }
        }
        return try writeBulk { transaction throws(Failure) in
            let plan = try transaction.connection.plan(request, snapshots, configuration.quota, isCommitted: false, by: author)
            try plan.requireNoConflicts()
            try plan.requireNoCandidates()
            try transaction.apply(plan, request.options.message, by: author)
            return plan
        }
    }
}

extension SQLConnection {
    /// - Parameter isCommitted: whether this read is outside of any write.
    fileprivate func plan(
        _ request: ApplyRequest, _ snapshots: SnapshotCache, _ quota: AppQuota, isCommitted: Bool, by author: Author
    ) throws(Failure) -> ApplyPlan {
        let marks = try marks(of: Array(request.apps))
        var states: [AppID: ApplyState] = [:]
        let applied = try appliedDocuments(of: Array(request.apps))
        for app in request.apps {
            let snapshot = try snapshot(of: app, marks[app], snapshots, isCommitted: isCommitted)
            var documents = applied[app]
            if documents == nil, let snapshot { documents = try formerlyApplied(snapshot) }
            var state = ApplyState(snapshot: snapshot, lastRevision: marks[app]?.lastRevision ?? 0, applied: documents ?? .none)
            state.isRecorded = applied[app] != nil
            if request.options.mode == .merge {
                state.schedule = try scheduleRows(where: "s.app = ? ORDER BY s.due_at, s.sequence", [SQLValue(app)]).map(\.entry)
                state.drafts = try drafts(where: "app = ? ORDER BY audience, position", [SQLValue(app)])
                if snapshot == nil { state.deletion = try deletion(of: app) }
            }
            states[app] = state
        }
        let plan = try ApplyPlan(
            request, in: states,
            known: { ids, audience, app throws(Failure) in try publishedIDs(among: ids, in: audience, of: app) }, by: author)
        for app in plan.apps where !app.isEmpty {
            let use = app.use
            if quota.isExceeded(by: use) { try quota.require(use, after: app.previous?.use ?? AppQuota.Use(), of: app.id) }
        }
        return plan
    }

    /// Fills in `AppPlan.SetChange.published` and `Drift.deletion`.
    fileprivate func notingPublished(in plan: ApplyPlan) throws(Failure) -> ApplyPlan {
        var plan = plan
        for app in plan.apps.indices where plan.apps[app].previousRevision > 0 {
            for index in plan.apps[app].drift.indices where plan.apps[app].drift[index].live == nil {
                let name = plan.apps[app].drift[index].name
                plan.apps[app].drift[index].deletion = try first(
                    "SELECT \(Revision.columns) FROM revisions WHERE app = ? AND version = ? AND audience = ? ORDER BY number DESC LIMIT 1",
                    [SQLValue(plan.apps[app].id), SQLValue(name.version), SQLValue(name.audience)], as: Revision.self)
            }
            for index in plan.apps[app].sets.indices {
                let revision = plan.apps[app].sets[index].revision
                guard let set = revision.set else { continue }
                plan.apps[app].sets[index].published =
                    try first(
                        "SELECT MAX(number) FROM revisions WHERE app = ? AND version = ? AND audience = ? AND document = ?",
                        [
                            SQLValue(plan.apps[app].id), SQLValue(revision.version), SQLValue(revision.audience),
                            SQLValue(utf8: set.canonicalJSON),
                        ],
                        as: Int64?.self) ?? nil
            }
        }
        return plan
    }
}

extension Transaction {
    /// Writes the changes of the plan, with one audit entry.
    fileprivate mutating func apply(_ plan: ApplyPlan, _ message: RevisionMessage?, by author: Author) throws(Failure) {
        var isChange = false
        // Apps come before rows that refer to them.
        for app in plan.apps where app.changesApp {
            _ = try app.after.app.reasonToLowerApprovals(of: app.previous?.app, app.override)
            try put(app.after.app)
        }
        for app in plan.apps where try apply(app, by: author) { isChange = true }
        for app in plan.apps { try connection.record(app.applied, replacing: app.recorded, of: app.id) }
        // The drafts may already be saved.
        guard isChange else { return }
        let changed = plan.apps.filter { !$0.isEmpty }
        let reason = changed.compactMap(\.override).first
        try log(
            AuditEntry(
                author: author, action: .storeApplied, app: changed.count == 1 ? changed.first?.id : nil,
                detail: AuditDetail(reason: reason, message: message, changes: plan.auditedChanges)))
    }

    /// - Returns: whether anything was written.
    private mutating func apply(_ plan: AppPlan, by author: Author) throws(Failure) -> Bool {
        guard !plan.isEmpty else { return false }
        if plan.previous == nil { try announce(announcer.appCreated(plan.id, by: author)) }
        for change in plan.releases {
            try put(change.release, of: plan.id)
            try announce(announcer.releaseImported(change.release.id, change.effect, of: plan.id, by: author))
        }
        for draft in plan.withdrawn { try delete(draft, of: plan.id) }
        if plan.savesDrafts {
            let hasSaved = try saveDrafts(of: plan, by: author)
            return hasSaved || plan.changesApp || !plan.releases.isEmpty || !plan.withdrawn.isEmpty
        }
        if plan.changesContent { try publish(plan, by: author) }
        return true
    }

    private mutating func publish(_ plan: AppPlan, by author: Author) throws(Failure) {
        for change in plan.sets {
            if let revision = change.afterCampaign, let set = revision.set, let campaign = change.previous {
                try write(
                    revision, of: plan.id, announcing: announcer.published(revision, set, replacing: campaign, in: plan.after, by: author),
                    recording: set.items.map(\.id))
                try moveRevert(of: campaign, to: revision, endingAt: change.revision, of: plan.id)
            }
            try write(
                change.revision, of: plan.id, announcing: event(of: change, in: plan, by: author),
                recording: change.revision.set?.items.map(\.id) ?? [])
            // Computed from the app after all changes, the ranges of versions cover every version that gets another set.
            tell(StreamedChange(change.revision, in: plan.after), of: plan.id)
        }
        if plan.changesAudiences { tell(.app, of: plan.id) }
        try renewStamp(of: plan.id, telling: nil, leaving: StoredApp(plan.after, known: snapshots.sets(of: plan.id)))
        guard let reason = plan.override else { return }
        try announce(announcer.override(reason, of: nil, revision: nil, of: plan.id, by: author))
    }

    /// Makes the end of the campaign publish `revision`, unless somebody publishes after `last`.
    private func moveRevert(
        of campaign: PublishedSet, to revision: Revision, endingAt last: Revision, of app: AppID
    ) throws(Failure) {
        try connection.enqueue(
            """
            UPDATE schedule SET kind = 'restore', revision = ?, expected_revision = ?
            WHERE app = ? AND audience = ? AND position = ? AND expected_revision = ?
            """,
            [
                .integer(revision.number), .integer(last.number), SQLValue(app), SQLValue(revision.audience),
                .text(revision.version.position), .integer(campaign.revision),
            ])
    }

    /// The plan checked the sets together. Checked against the published sets alone, they may not be valid yet.
    /// - Returns: whether at least one draft was new.
    private mutating func saveDrafts(of plan: AppPlan, by author: Author) throws(Failure) -> Bool {
        var hasSaved = false
        let previous = try connection.preparedUse(of: plan.id)
        var use = previous
        for change in plan.sets {
            guard let set = change.revision.set else { continue }
            let place = DraftChange(
                version: change.revision.version, audience: change.revision.audience, writeCondition: .none,
                base: change.previous?.revision ?? 0)
            let saved = try connection.draft(place.version, place.audience, of: plan.id)
            if let saved, saved.hasSameDocument(as: set) { continue }
            var draft = Draft(DraftContent(set), place, tag: freshDraftTag, replacing: saved, by: author)
            draft.applied = plan.sent(place.version, place.audience) ?? draft.applied
            use.save(draft, replacing: saved)
            try connection.put(draft, of: plan.id)
            hasSaved = true
        }
        try quota.require(use, after: previous, of: plan.id)
        return hasSaved
    }

    /// The event's entity tag is that of the menu after all changes, because no client can fetch a state between two of them.
    private func event(of change: AppPlan.SetChange, in plan: AppPlan, by author: Author) -> Event {
        change.revision.set.map { set in
            announcer.published(change.revision, set, replacing: change.previous, in: plan.after, by: author)
        } ?? announcer.deleted(change.revision, of: plan.id, by: author)
    }
}
