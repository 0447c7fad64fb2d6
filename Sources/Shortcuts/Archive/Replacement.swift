import QuickActions

/// What becomes of an app that is in the store, or was, when what an archive has of it takes its place: pure, made by the store
/// inside its transaction.
///
/// The history is the archive's from then on, and behind it a revision, above every number that either side ever gave, for each
/// set that says something else than before. So no number is served with two contents: entity tags, tags on devices and consumers
/// that drop what is older than what they have seen keep what they rely on.
package struct Replacement: Sendable {
    /// A revision that the replacement makes, and the set that stood in its place.
    package struct Change: Sendable {
        package let revision: Revision
        package let former: PublishedSet?
    }

    /// The app as it stands afterwards.
    package let app: ArchivedApp
    /// Deletions first; ascending by number.
    package let changes: [Change]

    /// - Parameters:
    ///   - standing: the app as it is served; nil where it was deleted.
    ///   - lastRevision: the number that the store gave it last.
    package init(of standing: AppSnapshot?, lastRevision: Int64, by archived: ArchivedApp, author: Author) {
        var number = max(lastRevision, archived.history.lastRevision)
        var changes: [Change] = []
        func change(_ place: ArchivedPlace, to set: ShortcutSet?, from former: PublishedSet?) -> Revision {
            number += 1
            let revision = Revision(
                number: number, kind: set == nil ? .deleted : .published, version: place.version, audience: place.audience,
                publishedAt: author.at, by: author.token, set: set)
            changes.append(Change(revision: revision, former: former))
            return revision
        }
        let kept = Set(archived.sets.map(ArchivedPlace.init))
        for (audience, timeline) in (standing?.timelines ?? [:]).sorted(by: { $0.key < $1.key }) {
            for former in timeline.sets {
                let place = ArchivedPlace(version: former.version, audience: audience)
                if !kept.contains(place) { _ = change(place, to: nil, from: former) }
            }
        }
        let sets = archived.sets.map { revision in
            let former = standing?.timelines[revision.audience]?.set(startingAt: revision.version)
            let isSame = former?.revision == revision.number && former?.set.canonicalJSON == revision.set?.canonicalJSON
            return isSame ? revision : change(ArchivedPlace(revision), to: revision.set, from: former)
        }
        let history = RevisionHistory(
            app: archived.app.id, lastRevision: number, revisions: archived.history.revisions + changes.map(\.revision))
        app = ArchivedApp(app: archived.app, releases: archived.releases, sets: sets, drafts: archived.drafts, history: history)
        self.changes = changes
    }

    /// In numbers.
    package var summary: JSON {
        [
            "app": .string(app.app.id), "published": .integer(Int64(changes.count { $0.revision.kind == .published })),
            "deleted": .integer(Int64(changes.count { $0.revision.kind == .deleted })), "lastRevision": .integer(app.history.lastRevision),
        ]
    }

    /// The same for a terminal.
    package var sentence: String {
        let counts = [Revision.Kind.published, .deleted].map { kind in changes.count { $0.revision.kind == kind } }
        return "\(app.app.id)  replaced: \(counts[0]) sets published, \(counts[1]) deleted, revisions to \(app.history.lastRevision)"
    }
}
