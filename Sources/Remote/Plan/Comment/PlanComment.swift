import QuickActions

/// A plan as a comment on a pull request: GitHub Markdown, for people who do not know the files.
package enum PlanComment {
    /// The limit, in bytes. GitHub accepts 65,536 characters.
    static let limit = 60_000

    /// - Parameter live: see `RemoteService.liveDocuments`.
    package static func text(_ plan: PlannedChanges, of application: Application, _ live: LiveDocuments) -> String {
        let apps = plan.apps.filter { !$0.isUnchanged }
        let counts = apps.reduce(into: PlanCounts()) { $0.add(PlanCounts($1)) }
        var head = "### Menus\n\n\(counts.isEmpty ? "Nothing changes" : counts.words)."
        if counts.isEmpty, counts.drifts > 0 { head += " \(counts.driftWords)." }
        head += "\n"
        if plan.leftOut > 0 {
            head += "\nThe plan is too large. The service left out the details of \(counted(Int(clamping: plan.leftOut), "change")).\n"
        }
        let comments = apps.map { AppComment($0, of: application, live.apps[$0.app] ?? AppComment.Live()) }
        return head + "\n" + fitting(comments, in: limit - head.utf8.count - 1)
    }

    /// The comment on a plan that failed.
    package static func text(failed failure: RemoteFailure) -> String {
        var text = "### Menus\n\nThe plan failed. Nothing can be applied.\n\n"
        for sentence in failure.description.split(separator: "\n") {
            let line = "- \(GitHubText.prose(String(sentence)))\n"
            guard text.utf8.count + line.utf8.count <= limit - 100 else { return text + "\nMore errors are in the log of the job.\n" }
            text += line
        }
        return text
    }

    /// The sections of the apps. If they are too long, the largest ones lose their differences, and then all but a line.
    private static func fitting(_ comments: [AppComment], in room: Int) -> String {
        var sections = comments.map { $0.section(isDetailed: true, isOpen: comments.count == 1 || $0.hasConflicts) }
        var total = sections.reduce(0) { $0 + $1.utf8.count + 1 }
        guard total > room else { return sections.joined(separator: "\n") }
        // The note that follows.
        let room = room - 300
        let largest = sections.indices.sorted { sections[$0].utf8.count > sections[$1].utf8.count }
        var shortened: Set<Int> = []
        for step in [{ (comment: AppComment) in comment.section(isDetailed: false, isOpen: comment.hasConflicts) }, { $0.line }] {
            for index in largest where total > room {
                let short = step(comments[index])
                guard short.utf8.count < sections[index].utf8.count else { continue }
                total += short.utf8.count - sections[index].utf8.count
                sections[index] = short
                shortened.insert(index)
            }
        }
        var kept = sections.count
        while total > room, kept > 0 {
            kept -= 1
            total -= sections[kept].utf8.count + 1
        }
        let rest = sections.count - kept
        let missing = rest == 0 ? "" : " \(counted(rest, "app")) \(rest == 1 ? "is" : "are") not listed."
        return sections.prefix(kept).joined(separator: "\n")
            + "\nThe comment would be too long. The differences of \(counted(shortened.count, "app")) are left out.\(missing) "
            + "`longpress plan` prints all of them.\n"
    }
}

/// How much changes.
struct PlanCounts {
    private var (created, changed, deleted, others) = (0, 0, 0, 0)
    private var (conflicts, lost, warnings) = (0, 0, 0)
    private(set) var drifts = 0

    init() {}

    init(_ app: PlannedChanges.OfApp) {
        for change in app.changes {
            switch (change.name.isSet, change.action) {
            case (false, _): others += 1
            case (_, "create"): created += 1
            case (_, "delete"): deleted += 1
            default: changed += 1
            }
            lost += change.warnings.count(where: \.isOfLostTap)
            warnings += change.warnings.count { !$0.isOfLostTap }
        }
        (conflicts, drifts) = (app.conflicts.count, app.drift.count)
        others += app.withdrawn.count
    }

    mutating func add(_ more: PlanCounts) {
        created += more.created
        changed += more.changed
        deleted += more.deleted
        others += more.others
        conflicts += more.conflicts
        lost += more.lost
        warnings += more.warnings
        drifts += more.drifts
    }

    /// Whether an apply would write nothing.
    var isEmpty: Bool { created + changed + deleted + others + conflicts == 0 }

    var driftWords: String { "\(counted(drifts, "menu")) \(drifts == 1 ? "was" : "were") changed on the service" }

    /// `2 menus change, 1 menu is new, 1 tap is lost`
    var words: String {
        func words(_ count: Int, _ noun: String, _ one: String, _ several: String) -> String? {
            count == 0 ? nil : "\(counted(count, noun)) \(count == 1 ? one : several)"
        }
        let parts = [
            words(changed, "menu", "changes", "change"), words(created, "menu", "is new", "are new"),
            words(deleted, "menu", "is deleted", "are deleted"), others == 0 ? nil : counted(others, "other change"),
            words(conflicts, "conflict", "must be decided", "must be decided"), words(lost, "tap", "is lost", "are lost"),
            warnings == 0 ? nil : counted(warnings, "warning"), drifts == 0 ? nil : driftWords,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}
