import QuickActions
import SQL
import Shortcuts

extension Store: ApplyStore {
    package func apply(_ request: ApplyRequest, dryRun: Bool, by author: Author) throws(Failure) -> ApplyPlan {
        guard !dryRun else {
            return try database.read { connection throws(Failure) in
                try connection.plan(request, snapshots, isCommitted: true, by: author)
            }
        }
        return try write { transaction throws(Failure) in
            let plan = try transaction.connection.plan(request, snapshots, isCommitted: false, by: author)
            try transaction.apply(plan, by: author)
            return plan
        }
    }
}

extension SQLConnection {
    /// - Parameter isCommitted: whether this read is outside of any write.
    fileprivate func plan(
        _ request: ApplyRequest, _ snapshots: SnapshotCache, isCommitted: Bool, by author: Author
    ) throws(Failure) -> ApplyPlan {
        var states: [AppID: ApplyState] = [:]
        for app in request.apps {
            var stored = try storedApp(app, snapshots, isCommitted: isCommitted)
            let snapshot = try stored?.snapshot()
            states[app] = ApplyState(snapshot: snapshot, lastRevision: try lastRevision(of: app))
        }
        return try ApplyPlan(
            request, in: states,
            known: { ids, audience, app throws(Failure) in try publishedIDs(among: ids, in: audience, of: app) }, by: author)
    }
}

extension Transaction {
    /// Writes what the plan changes, with one audit entry.
    fileprivate mutating func apply(_ plan: ApplyPlan, by author: Author) throws(Failure) {
        var isChange = false
        for app in plan.apps where try apply(app, by: author) { isChange = true }
        // Drafts may have been saved already.
        guard isChange else { return }
        let changed = plan.apps.filter { !$0.isEmpty }
        try log(
            AuditEntry(
                author: author, action: .storeApplied, app: changed.count == 1 ? changed.first?.id : nil,
                detail: AuditDetail(changes: plan.auditedChanges)))
    }

    /// - Returns: whether anything was written.
    private mutating func apply(_ plan: AppPlan, by author: Author) throws(Failure) -> Bool {
        guard !plan.isEmpty else { return false }
        guard !plan.savesDrafts else { throw .approvalMissing(plan.after.app.approvals, of: plan.after.app) }
        if plan.changesApp { try put(plan.after.app) }
        if plan.former == nil { try announce(announcer.appCreated(plan.id, at: author.at)) }
        for change in plan.releases {
            try put(change.release, of: plan.id)
            try announce(announcer.releaseImported(change.release.id, of: plan.id, at: author.at))
        }
        // For the stream, each set's stretch is that of the moment.
        var snapshot = plan.former ?? AppSnapshot(app: plan.after.app, timelines: [:], releases: [])
        for change in plan.sets {
            try write(change.revision, in: snapshot, announcing: event(of: change, in: plan, by: author))
            snapshot = snapshot.after(change.revision)
        }
        try renewStamp(of: plan.id, telling: nil, leaving: plan.after)
        return true
    }

    /// Its entity tag is that of the app after all changes: nobody can fetch any state between.
    private func event(of change: AppPlan.SetChange, in plan: AppPlan, by author: Author) -> Event {
        change.revision.set.map { set in
            announcer.published(change.revision, set, replacing: change.previous, in: plan.after, at: author.at)
        } ?? announcer.deleted(change.revision, of: plan.id)
    }
}
