import QuickActions
import SQL
import Shortcuts

extension Transaction {
    /// Replaces the app's releases, sets, drafts, schedule and revisions by the archive's. Tap counts and the item ids that
    /// were ever published are kept.
    mutating func apply(_ replacement: Replacement, by author: Author) throws(Failure) {
        let archived = replacement.app
        let app = archived.app.id
        let isNew = try connection.app(app) == nil
        try put(archived.app)
        if isNew { try announce(announcer.appCreated(app, at: author.at)) }
        try replaceReleases(of: app, with: archived.releases, by: author)
        try connection.enqueue("DELETE FROM sets WHERE app = ?", [SQLValue(app)])
        try replaceHistory(with: archived.history)
        for revision in archived.sets { try makeCurrent(revision, of: app) }
        try connection.enqueue("DELETE FROM drafts WHERE app = ?", [SQLValue(app)])
        try connection.enqueue("DELETE FROM schedule WHERE app = ?", [SQLValue(app)])
        try insert(archived.drafts, archived.schedule, of: app, by: author)
        effects.hasScheduled = true
        let snapshot = archived.snapshot
        for change in replacement.changes {
            tell(StreamedChange(change.revision, in: snapshot), of: app)
            try announce(
                change.revision.set.map { set in
                    announcer.published(change.revision, set, replacing: change.previous, in: snapshot, at: author.at)
                } ?? announcer.deleted(change.revision, of: app))
        }
    }

    /// The revision counter never goes down: the numbers of deleted revisions are not issued again.
    func replaceHistory(with history: RevisionHistory) throws(Failure) {
        let last = try connection.lastRevision(of: history.app)
        try connection.enqueue("DELETE FROM revisions WHERE app = ?", [SQLValue(history.app)])
        try insert(
            RevisionHistory(app: history.app, lastRevision: max(last, history.lastRevision), revisions: history.revisions))
    }

    private mutating func replaceReleases(of app: AppID, with releases: [Release], by author: Author) throws(Failure) {
        let former = Dictionary(try connection.releases(of: app).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        try connection.enqueue("DELETE FROM releases WHERE app = ?", [SQLValue(app)])
        for release in releases {
            try put(release, of: app)
            guard former[release.id]?.canonicalJSON != release.canonicalJSON else { continue }
            try announce(announcer.releaseImported(release.id, of: app, at: author.at))
        }
    }
}

extension SQLConnection {
    /// How the archive changes the apps that exist, or existed.
    func replacements(by archive: Archive, snapshots: SnapshotCache, author: Author) throws(Failure) -> [Replacement] {
        var replacements: [Replacement] = []
        for archived in archive.apps {
            var stored = try storedApp(archived.app.id, snapshots, isCommitted: false)
            let standing = try stored?.snapshot()
            let last = try lastRevision(of: archived.app.id)
            guard standing != nil || last > 0 else { continue }
            replacements.append(Replacement(of: standing, lastRevision: last, by: archived, author: author))
        }
        return replacements
    }
}
