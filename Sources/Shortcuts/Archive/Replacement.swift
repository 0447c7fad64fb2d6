import QuickActions

/// The result of an import that replaces an app of the store, or a deleted one. Pure; the store computes it inside its transaction.
///
/// The new history is the archive's, followed by a new revision for each set whose content changes. New numbers are above every number that
/// the store or the archive ever gave, so no number ever has two contents. Entity tags, version tags on devices and webhook consumers that
/// ignore lower numbers rely on that.
package struct Replacement: Sendable {
    /// A new revision, and the set that it replaces or deletes.
    package struct Change: Sendable {
        package let revision: Revision
        package let previous: PublishedSet?
    }

    /// The app after the import.
    package let app: ArchivedApp
    /// Deletions first; ascending by number.
    package let changes: [Change]

    /// - Parameters:
    ///   - current: the app in the store; nil if it was deleted.
    ///   - lastRevision: the last number that the store gave.
    package init(of current: AppSnapshot?, lastRevision: Int64, by archived: ArchivedApp, author: Author) {
        var number = max(lastRevision, archived.history.lastRevision)
        var changes: [Change] = []
        func change(
            _ key: SetName, to set: ShortcutSet?, from previous: PublishedSet?, message: RevisionMessage? = nil
        ) -> Revision {
            number += 1
            let revision = Revision(
                number: number, kind: set == nil ? .deleted : .published, version: key.version, audience: key.audience,
                publishedAt: author.at, by: author.token, set: set, message: message)
            changes.append(Change(revision: revision, previous: previous))
            return revision
        }
        let kept = Set(archived.sets.map(SetName.init))
        for (audience, timeline) in (current?.timelines ?? [:]).sorted(by: { $0.key < $1.key }) {
            for previous in timeline.sets {
                let key = SetName(version: previous.version, audience: audience)
                if !kept.contains(key) { _ = change(key, to: nil, from: previous) }
            }
        }
        var renumbered: [Int64: Int64] = [:]
        let sets = archived.sets.map { revision in
            let previous = current?.timelines[revision.audience]?.set(startingAt: revision.version)
            let isSame = previous?.revision == revision.number && previous?.set.canonicalJSON == revision.set?.canonicalJSON
            let current = isSame ? revision : change(SetName(revision), to: revision.set, from: previous, message: revision.message)
            renumbered[revision.number] = current.number
            return current
        }
        var restarted: [Revision] = []
        let candidates = archived.candidates.map { name, candidate in
            let own = current?.timelines[name.audience]?.set(startingAt: name.version)?.candidate
            if own?.rollout == candidate.rollout, own?.revision == candidate.revision { return (name, candidate) }
            number += 1
            var revision = Revision(
                number: number, kind: .candidate, version: name.version, audience: name.audience, publishedAt: author.at,
                by: author.token, set: candidate.set)
            revision.rollout = candidate.rollout
            restarted.append(revision)
            return (
                name,
                Candidate(
                    rollout: candidate.rollout, share: candidate.share, guard: candidate.guard, revision: number, startedAt: author.at,
                    by: author.token,
                    set: candidate.set)
            )
        }
        let running = Dictionary(uniqueKeysWithValues: candidates)
        let history = RevisionHistory(
            app: archived.app.id, lastRevision: number, revisions: archived.history.revisions + changes.map(\.revision) + restarted)
        app = ArchivedApp(
            app: archived.app, releases: archived.releases, sets: sets,
            candidates: running, drafts: archived.drafts,
            schedule: archived.schedule.map { $0.expecting(renumbered).promoting(running) }, history: history,
            applied: archived.applied, icon: archived.icon)
        self.changes = changes
    }

    /// The counts of revisions, as JSON.
    package var summary: JSON {
        [
            "app": .string(app.app.id), "published": .integer(Int64(changes.count { $0.revision.kind == .published })),
            "deleted": .integer(Int64(changes.count { $0.revision.kind == .deleted })), "lastRevision": .integer(app.history.lastRevision),
        ]
    }

    /// The counts of revisions, for a terminal.
    package var sentence: String {
        let counts = [Revision.Kind.published, .deleted].map { kind in changes.count { $0.revision.kind == kind } }
        return "\(app.app.id)  replaced: \(counts[0]) sets published, \(counts[1]) deleted, last revision \(app.history.lastRevision)"
    }
}

extension ScheduleEntry {
    /// The entry with its automatic revert pointing to the new number of the revision that it expects.
    /// - Parameter renumbered: the new numbers of the published revisions.
    fileprivate func expecting(_ renumbered: [Int64: Int64]) -> ScheduleEntry {
        guard case .from(let revision)? = automaticRevert, let number = renumbered[revision] else { return self }
        return ScheduleEntry(
            id: id, version: version, audience: audience, at: at, action: action, automaticRevert: .from(revision: number),
            message: message, author: author)
    }

    /// The entry with the new revision of the candidate that it promotes.
    fileprivate func promoting(_ candidates: [SetName: Candidate]) -> ScheduleEntry {
        guard case .rollout(let rollout, .promote) = action,
            let candidate = candidates[SetName(version: version, audience: audience)]
        else { return self }
        return ScheduleEntry(
            id: id, version: version, audience: audience, at: at, action: .rollout(rollout, .promote(candidate.content)),
            automaticRevert: nil, message: message, author: author)
    }
}
