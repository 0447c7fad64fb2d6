import QuickActions

/// The changes of an apply to the apps of its request. The rules are checked on the state after all changes, so that sets that are only
/// valid together can be applied together. Pure; the store computes it inside its transaction.
package struct ApplyPlan: Sendable {
    /// The limit, in bytes, of differences and warnings in an answer.
    static let detailLimit = 4 << 20

    /// Ascending by id; apps without a change are included.
    package var apps: [AppPlan]

    /// - Parameters:
    ///   - states: every app of the request.
    ///   - known: see `AppReader.publishedIDs`.
    /// - Throws: the first of `forbidden`, `unknownApp`, `invalidDocument`, `preconditionFailed`, `idReused`, `conflict` and
    ///   `approvalMissing` that applies, with all violations of that kind.
    package init(
        _ request: ApplyRequest, in states: [AppID: ApplyState],
        known: (Set<ItemID>, Audience, AppID) throws(Failure) -> Set<ItemID>, by author: Author
    ) throws(Failure) {
        var room = Self.detailLimit
        apps = try request.trees.map { tree throws(Failure) in
            let state = states[tree.id] ?? ApplyState(snapshot: nil, lastRevision: 0)
            return try AppPlan(
                tree, in: state, request.options,
                known: { ids, audience throws(Failure) in try known(ids, audience, tree.id) }, room: &room, by: author)
        }
        try requireRights(request.options)
        try requireTitles()
        try requireBase(request.base)
        try requireOneMeaning()
        try requireTitlesOfOthers()
        try requireApprovals()
    }

    package var isEmpty: Bool { apps.allSatisfy(\.isEmpty) }
    package var savesDrafts: Bool { apps.contains(where: \.savesDrafts) }
}

extension ApplyPlan {
    private func requireRights(_ options: ApplyOptions) throws(Failure) {
        guard !options.mayChangeApps, let app = apps.first(where: \.changesApp) else { return }
        throw .changingApps([app.id])
    }

    /// Checks titles again: the language in which they are required may have changed since the request was checked.
    private func requireTitles() throws(Failure) {
        let checker = DocumentChecker()
        for app in apps {
            for set in app.tree.sets { set.set.checkTitles(in: app.after.app.defaultLanguage, checker, at: set.path) }
        }
        try checker.finish()
    }

    private func requireBase(_ base: [AppID: ApplyBase]) throws(Failure) {
        let moved = apps.flatMap { app -> [String] in
            switch base[app.id] {
            case .app(let planned)? where planned != app.previousRevision: [app.moved(since: planned)]
            case .sets(let sets)?: app.moved(since: sets)
            case .app?, nil: []
            }
        }
        guard !moved.isEmpty else { return }
        throw Failure(
            .preconditionFailed,
            moved.listed + " Nothing was applied. Plan again and review the new changes.")
    }

    /// - Throws: `preconditionFailed` if somebody must decide a conflict first. A dry run lists the conflicts instead.
    package func requireNoConflicts() throws(Failure) {
        let violations = apps.flatMap { app in app.conflicts.map { app.violation($0) } }
        guard violations.isEmpty else {
            throw Failure(
                .preconditionFailed,
                violations.map(\.message).listed
                    + " Nothing was applied. Pull and merge, or decide with \"use\" (longpress apply --use-git SET or --use-live SET).",
                violations: violations.bounded)
        }
    }

    private func requireOneMeaning() throws(Failure) {
        let violations = apps.flatMap(\.reusedIDs)
        guard violations.isEmpty else {
            throw Failure(
                .idReused, violations.map(\.message).listed + " Nothing was applied.", violations: violations.bounded)
        }
    }

    /// A new default language also requires titles in sets that the request does not change.
    private func requireTitlesOfOthers() throws(Failure) {
        var violations: [Violation] = []
        for app in apps where app.previous?.app.defaultLanguage != app.after.app.defaultLanguage {
            do throws(Failure) {
                try app.untouched.requireTitles(in: app.after.app.defaultLanguage)
            } catch {
                violations += error.violations.map { $0.moved(beneath: app.tree.path["app"]) }
            }
        }
        guard violations.isEmpty else {
            throw Failure(
                .conflict,
                "Published sets that are not in the document have no titles in the new default language. Add these sets, with titles in "
                    + "that language, to the document. Nothing was applied.", violations: violations.bounded)
        }
    }

    /// - Throws: `candidateRunning` if it publishes in place of a set whose roll-out runs. A dry run names the roll-out instead.
    package func requireNoCandidates() throws(Failure) {
        for app in apps where !app.savesDrafts {
            for change in app.sets {
                guard let set = change.previous, let candidate = set.candidate else { continue }
                throw .candidateRunning(candidate, of: set, to: "apply another menu", inApply: true)
            }
        }
    }

    private func requireApprovals() throws(Failure) {
        let violations = apps.filter(\.savesDrafts).flatMap { app in
            app.sets.filter { $0.revision.set == nil }.map { change in
                Violation(
                    path: app.tree.path["sets"].description, code: Failure.Code.approvalMissing.rawValue,
                    message: "The deletion of the set of \(SetName(change.revision).inWords) in \(quoted(app.id.description)) cannot be "
                        + "saved as a draft.")
            }
        }
        guard violations.isEmpty else {
            throw Failure(
                .approvalMissing,
                violations.map(\.message).listed
                    + " Keep these sets, or apply without prune. An owner can add ?override=<reason>. Nothing was applied.",
                violations: violations.bounded)
        }
    }
}

extension [String] {
    /// The first sentences of a list, and the number of those that are left out.
    fileprivate var listed: String {
        let rest = count - 5
        return prefix(5).joined(separator: " ") + (rest > 0 ? " \(rest) more are affected." : "")
    }
}

extension AppPlan {
    fileprivate func moved(since planned: Int64) -> String {
        guard previous != nil else { return "The app \(quoted(id.description)) was deleted." }
        guard planned > 0 else { return "The app \(quoted(id.description)) now exists, at revision \(previousRevision)." }
        return "The app \(quoted(id.description)) is at revision \(previousRevision), but the plan is for revision \(planned)."
    }

    fileprivate func moved(since planned: [SetName: Int64]) -> [String] {
        planned.sorted { $0.key < $1.key }.compactMap { name, revision in
            let current = previous?.set(name)?.revision ?? 0
            guard current != revision else { return nil }
            let state = current > 0 ? "is at revision \(current)" : "was deleted"
            return "The set of \(name.inWords) in \(quoted(id.description)) \(state), but the plan is for "
                + (revision > 0 ? "revision \(revision)." : "a new set.")
        }
    }

    fileprivate func violation(_ conflict: ApplyConflict) -> Violation {
        let what = conflict.name.map { "The set of \($0.inWords) in \(quoted(id.description))" } ?? "The app \(quoted(id.description))"
        let who = conflict.live.map { " by \(quoted($0.by)) in revision \($0.revision)" } ?? " on the service"
        let members = conflict.members.map { [$0.item?.string, $0.member.string].compactMap { $0 }.joined(separator: " ") }
        let how =
            conflict.git == nil && conflict.name != nil
            ? "was deleted in git, and changed\(who)."
            : conflict.live == nil && conflict.name != nil
                ? "was changed in git, and deleted on the service." : "was changed in git and\(who): \(members.joined(separator: ", "))."
        return Violation(path: conflict.path.description, code: Failure.Code.conflict.rawValue, message: "\(what) \(how)")
    }

    /// The app with only those sets that the plan does not change.
    fileprivate var untouched: AppSnapshot {
        let changed = Set(sets.map { SetName($0.revision) }).union(tree.sets.map(\.key)).subtracting(drift.map(\.name))
        let timelines = after.timelines.mapValues { timeline in
            let rest = timeline.sets.filter { !changed.contains(SetName(version: $0.version, audience: timeline.audience)) }
            return Timeline(audience: timeline.audience, sets: rest)
        }
        return AppSnapshot(app: after.app, timelines: timelines, releases: [])
    }
}

extension Failure {
    /// - Parameter apps: apps whose documents would change.
    package static func changingApps(_ apps: [AppID]) -> Failure {
        let names = apps.map { quoted($0.description) }.joined(separator: ", ")
        return Failure(
            .forbidden,
            "This would create or change the document of \(names), which requires the role owner. Ask an owner, or leave \"app\" (app.json "
                + "in a tree) out or unchanged. Nothing was applied.")
    }
}

extension ApplyPlan {
    /// The answer to an apply. Changes after `detailLimit` bytes are listed without their details, and `leftOut` counts them.
    package func json(isDryRun: Bool) -> JSON {
        var room = Self.detailLimit
        var leftOut: Int64 = 0
        var listed: [JSON.Member] = []
        for app in apps {
            var changes: [JSON] = []
            for change in app.changes {
                let details = room > 0 ? change.details() : [:]
                room -= room > 0 ? details.encoded.count : 0
                changes.append(room > 0 ? change.subject.adding(membersOf: details) : change.subject)
                leftOut += room > 0 ? 0 : 1
            }
            listed.append(
                JSON.Member(
                    Text(app.id.description),
                    [
                        "revision": .integer(isDryRun ? app.previousRevision : app.revision), "changes": .array(changes),
                        "drafts": app.savesDrafts ? true : nil,
                        "approvals": app.savesDrafts && app.after.app.approvals > 0 ? .integer(app.after.app.approvals) : nil,
                        "withdrawn": app.withdrawn.isEmpty ? nil : .array(app.withdrawn.map(\.summary)),
                        "drift": app.drift.isEmpty ? nil : .array(app.drift.map(\.json)),
                        "conflicts": app.conflicts.isEmpty ? nil : .array(app.conflicts.map(\.json)),
                    ]))
        }
        return [
            "apps": .object(listed), "applied": isDryRun ? false : savesDrafts ? "drafts" : true,
            "leftOut": leftOut > 0 ? .integer(leftOut) : nil,
        ]
    }

    /// The changes for the audit log, without their content.
    package var auditedChanges: [JSON] {
        apps.flatMap { app in
            app.auditedChanges.map { change in JSON.object([JSON.Member("app", .string(app.id))]).adding(membersOf: change) }
        }
    }
}

extension AppPlan {
    fileprivate typealias Change = (subject: JSON, details: () -> JSON)

    /// The changes, each with its difference and warnings, which may be large.
    fileprivate var changes: [Change] {
        let merged: JSON = ["merged": mergedApp == nil ? nil : true, "document": mergedApp]
        let app: Change = (
            appSubject.adding(membersOf: merged),
            { fieldsJSON(SetDifference.fields(from: previous?.app.json, to: after.app.json, without: ["app"])) }
        )
        let releases: [Change] = releases.map { ($0.subject, $0.details) }
        let sets: [Change] = sets.map { ($0.subject.adding(membersOf: $0.standing), $0.details) }
        return (changesApp ? [app] : []) + releases + sets
    }

    fileprivate var auditedChanges: [JSON] {
        (changesApp ? [appSubject] : []) + releases.map(\.subject)
            + sets.map { savesDrafts ? $0.draftSubject : $0.subject.adding("revision", .integer($0.revision.number)) }
            + withdrawn.map { (["kind": "draft", "action": "withdraw"] as JSON).adding(membersOf: $0.summary) }
    }

    private var appSubject: JSON {
        let needsReason = override == nil && after.app.approvals < previous?.app.approvals ?? 0
        return ["kind": "app", "action": previous == nil ? "create" : "update", "needsOverride": needsReason ? true : nil]
    }
}

extension AppPlan.ReleaseChange {
    fileprivate var subject: JSON {
        ["kind": "release", "version": .string(release.id), "action": previous == nil ? "create" : "update"]
    }

    fileprivate func details() -> JSON {
        fieldsJSON(SetDifference.fields(from: previous?.json, to: release.json, without: ["version", "build"]))
            .adding(membersOf: effect.json)
    }
}

extension AppPlan.SetChange {
    fileprivate var subject: JSON {
        let action = revision.set == nil ? "delete" : previous == nil ? "create" : "update"
        return [
            "kind": "set", "version": .string(revision.version), "audience": .string(revision.audience), "action": .string(action),
        ]
    }

    /// What a plan needs to know of the published set.
    fileprivate var standing: JSON {
        [
            "base": .integer(previous?.revision ?? 0), "merged": isMerged ? true : nil,
            "document": isMerged ? revision.set?.json : nil, "published": published.map(JSON.integer),
            "draft": draft.map { ["by": .string($0.savedBy), "at": .string($0.savedAt)] },
            "scheduled": scheduled.isEmpty ? nil : .array(scheduled.map(\.summary)),
            "rollout": previous?.candidate?.summary,
        ]
    }

    fileprivate var draftSubject: JSON {
        ["kind": "draft", "version": .string(revision.version), "audience": .string(revision.audience), "action": "save"]
    }

    fileprivate func details() -> JSON {
        ["difference": SetDifference(from: previous?.set, to: revision.set).json, "warnings": .array(warnings.map(\.json))]
    }
}

extension Draft {
    fileprivate var summary: JSON {
        ["version": .string(version), "audience": .string(audience), "by": .string(savedBy), "at": .string(savedAt)]
    }
}

extension ScheduleEntry {
    fileprivate var summary: JSON {
        ["kind": .string(kind.rawValue), "at": .string(at), "by": automaticRevert == nil ? .string(author.token) : nil]
    }
}

private func fieldsJSON(_ fields: [SetDifference.FieldChange]) -> JSON { ["fields": fields.json] }
