import QuickActions
import SQL
import Shortcuts

extension Transaction {
    /// Replaces the app's releases, sets, drafts, schedule and revisions by the archive's. Tap counts and the ids of published items stay.
    mutating func apply(_ replacement: PlannedReplacement, by author: Author) throws(Failure) {
        let archived = replacement.result.app
        let app = archived.app.id
        try put(archived.app)
        if replacement.current == nil { try announce(announcer.appCreated(app, by: author)) }
        try replaceReleases(of: replacement.current, app, with: archived.releases, by: author)
        try connection.enqueue("DELETE FROM sets WHERE app = ?", [SQLValue(app)])
        try replaceHistory(with: archived.history, above: replacement.lastRevision, by: author)
        for revision in archived.sets { try makeCurrent(revision, of: app) }
        try connection.enqueue("DELETE FROM drafts WHERE app = ?", [SQLValue(app)])
        try connection.enqueue("DELETE FROM schedule WHERE app = ?", [SQLValue(app)])
        try insert(archived.drafts, archived.schedule, of: app, by: author)
        effects.hasScheduled = true
        let snapshot = archived.snapshot
        for change in replacement.result.changes {
            tell(StreamedChange(change.revision, in: snapshot), of: app)
            try announce(
                change.revision.set.map { set in
                    announcer.published(change.revision, set, replacing: change.previous, in: snapshot, by: author)
                } ?? announcer.deleted(change.revision, of: app, by: author))
        }
    }

    /// The revision counter never decreases, so that the numbers of deleted revisions are not given again.
    /// - Parameter last: the last number that was given.
    func replaceHistory(with history: RevisionHistory, above last: Int64, by author: Author) throws(Failure) {
        try connection.enqueue("DELETE FROM revisions WHERE app = ?", [SQLValue(history.app)])
        try insert(
            RevisionHistory(app: history.app, lastRevision: max(last, history.lastRevision), revisions: history.revisions), by: author)
    }

    private mutating func replaceReleases(
        of current: AppSnapshot?, _ app: AppID, with releases: [Release], by author: Author
    ) throws(Failure) {
        let former = Dictionary((current?.releases ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        try connection.enqueue("DELETE FROM releases WHERE app = ?", [SQLValue(app)])
        for release in releases {
            try put(release, of: app)
            guard former[release.id]?.canonicalJSON != release.canonicalJSON else { continue }
            let effect = ReleaseEffect(of: release.id, in: current, leaving: releases)
            try announce(announcer.releaseImported(release.id, effect, of: app, by: author))
        }
    }
}

/// How an import changes an app that exists or was deleted.
struct PlannedReplacement {
    let result: Replacement
    /// The app in the store; nil if it was deleted.
    let current: AppSnapshot?
    /// The last number that the store gave.
    let lastRevision: Int64
}

extension SQLConnection {
    /// How the archive changes the apps that exist or were deleted.
    func replacements(
        by archive: Archive, _ marks: [AppID: AppMark], _ snapshots: SnapshotCache, _ author: Author
    ) throws(Failure) -> [PlannedReplacement] {
        var replacements: [PlannedReplacement] = []
        for archived in archive.apps {
            guard let mark = marks[archived.app.id], mark.stamp != nil || mark.lastRevision > 0 else { continue }
            let current = try snapshot(of: archived.app.id, mark, snapshots, isCommitted: false)
            let result = Replacement(of: current, lastRevision: mark.lastRevision, by: archived, author: author)
            replacements.append(PlannedReplacement(result: result, current: current, lastRevision: mark.lastRevision))
        }
        return replacements
    }
}
