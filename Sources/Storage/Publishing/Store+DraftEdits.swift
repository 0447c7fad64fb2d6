import QuickActions
import SQL
import Shortcuts

extension Store: DraftEditStore {
    package func editDraft(
        _ edit: DraftEdit, _ change: DraftChange, of app: AppID, by author: Author
    ) throws(Failure) -> DraftReceipt {
        try write { transaction throws(Failure) in
            guard let snapshot = try transaction.snapshot(of: app) else { throw .unknownApp(app) }
            let edited = try transaction.connection.edited(edit, change, in: snapshot)
            return try transaction.saveDraft(edited.set, edited.change, of: app, by: author)
        }
    }

    package func tryDraft(_ edit: DraftEdit, _ change: DraftChange, of app: AppID) throws(Failure) -> [Warning] {
        try database.read { connection throws(Failure) in
            let snapshot = try connection.committedSnapshot(of: app, snapshots)
            let edited = try connection.edited(edit, change, in: snapshot)
            try edited.set.requireTitles(in: snapshot.app.defaultLanguage)
            try edited.change.requireWriteCondition(edited.former)
            return try edited.change.warnings(of: edited.set, in: snapshot) { ids throws(Failure) in
                try connection.publishedIDs(among: ids, in: change.audience, of: app)
            }
        }
    }

    package func tryPublish(_ change: SetChange, of app: AppID, by author: Author) throws(Failure) -> [Warning] {
        try database.read { connection throws(Failure) in
            let snapshot = try connection.committedSnapshot(of: app, snapshots)
            let plan = try Publication.plan(
                change, in: snapshot, revision: snapshot.lastRevision + 1,
                known: { ids throws(Failure) in try connection.publishedIDs(among: ids, in: change.audience, of: app) }, by: author,
                announcer: announcer)
            return switch plan {
            case .unchanged(_, let warnings): warnings
            case .change(let publication): publication.warnings
            }
        }
    }
}

extension SQLConnection {
    /// Must be called outside of any write.
    fileprivate func committedSnapshot(of app: AppID, _ snapshots: SnapshotCache) throws(Failure) -> AppSnapshot {
        guard var stored = try storedApp(app, snapshots, isCommitted: true) else { throw .unknownApp(app) }
        return try stored.snapshot()
    }

    /// The draft's content after the edit, and the change with the precondition that applies to it.
    fileprivate func edited(
        _ edit: DraftEdit, _ change: DraftChange, in snapshot: AppSnapshot
    ) throws(Failure) -> (set: ShortcutSet, change: DraftChange, former: Draft?) {
        let app = snapshot.app
        let former = try draft(change.version, change.audience, of: app.id)
        let standing = former == nil ? snapshot.timelines[change.audience]?.set(startingAt: change.version) : nil
        let content = try edit.applied(to: former?.set ?? standing?.set, defaultLanguage: app.defaultLanguage)
        guard let content else { throw .nothingToPatch(change.version, change.audience) }
        return (content, edit.change(change, beginningWith: standing), former)
    }
}

extension Failure {
    fileprivate static func nothingToPatch(_ version: AppVersion, _ audience: Audience) -> Failure {
        Failure(
            .unknownResource,
            "There is neither a draft nor a published set of version \(version) and audience \"\(audience)\" to change. Save a draft with "
                + "PUT …/draft.")
    }
}
