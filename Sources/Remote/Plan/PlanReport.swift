import QuickActions

/// A plan as text with the marks of a diff: `+` added, `-` removed, `~` changed.
package struct PlanReport {
    private var lines: [String] = []
    private var counts: [String: Int] = [:]
    private var warnings = 0
    private var drifts = 0
    /// The request. It has the members of new items, which the answer lacks.
    private let application: Application

    package static func text(_ plan: PlannedChanges, of application: Application) -> String {
        var report = PlanReport(application: application)
        for app in plan.apps where !app.isUnchanged { report.write(app) }
        if plan.leftOut > 0 {
            report.lines.append(
                "The plan is too large. Differences and warnings of \(counted(Int(clamping: plan.leftOut), "change")) are not shown.")
        }
        report.lines.append(report.summary(plan.outcome))
        return report.lines.joined(separator: "\n")
    }

    private init(application: Application) {
        self.application = application
    }

    private mutating func write(_ app: PlannedChanges.OfApp) {
        let approvals =
            app.approvals == 0
            ? "" : " that need the approval of \(counted(Int(clamping: app.approvals), "publisher")) who did not edit them"
        lines.append("\(app.app) (revision \(app.revision))\(app.isDrafted ? ", as drafts\(approvals)" : "")")
        for change in app.changes {
            counts[change.action, default: 0] += 1
            lines.append(
                "\(Self.mark(change.action)) \(change.name.title)\(change.merged != nil ? ", merged with changes on the service" : "")")
            if let difference = change.difference {
                lines += difference.differenceLines(of: application.document(change.name, of: app.app))
            }
            if let fields = change.fields { lines += fields.changeLines(of: nil) }
            lines += change.notes(isDrafted: app.isDrafted).map { "!     \($0)" }
            warnings += change.warnings.count
            lines += change.warnings.map(\.line)
        }
        for draft in app.withdrawn {
            counts["withdraw", default: 0] += 1
            lines.append("- draft \(draft.name): saved\(draft.saved.words), and no longer in the tree")
        }
        for conflict in app.conflicts { write(conflict, of: app.app) }
        for drift in app.drift { write(drift) }
        lines.append("")
    }

    private mutating func write(_ conflict: PlannedChanges.Conflict, of app: AppID) {
        counts["conflict", default: 0] += 1
        let (name, origin) = (conflict.name.title, conflict.origin.words)
        if !conflict.members.isEmpty || conflict.name == .app {
            lines.append("x \(name): changed here and on the service\(origin)")
        } else if conflict.isDeletedInGit {
            lines.append("x \(name): deleted here, and changed on the service\(origin)")
        } else {
            lines.append("x \(name): changed here, and deleted on the service")
        }
        for member in conflict.members {
            let subject = [member.text("item"), member.text("member")].compactMap { $0 }.joined(separator: ".")
            func value(_ side: Text) -> String { member[side]?.shown ?? "nothing" }
            lines.append("x     \(subject): was \(value("base")), is \(value("mine")) here and \(value("theirs")) on the service")
        }
        let option = NamedDocuments.name(conflict.name, of: app)
        lines.append("x     Decide with --use-git \(option) or --use-live \(option).")
    }

    private mutating func write(_ drift: PlannedChanges.Drift) {
        if drift.revertsAt == nil { drifts += 1 }
        let words = ["create": "created", "delete": "deleted"][drift.action] ?? "changed"
        lines.append("= set \(drift.name): \(words) on the service\(drift.origin.words), and left alone")
        if let time = drift.revertsAt { lines.append("=     A campaign. It reverts automatically at \(time).") }
        lines += drift.difference.differenceLines(of: nil).map { "=" + $0.dropFirst() }
    }

    private static func mark(_ action: String) -> String {
        switch action {
        case "create": "+"
        case "delete": "-"
        default: "~"
        }
    }

    private func summary(_ outcome: PlannedChanges.Outcome) -> String {
        let words =
            switch outcome {
            case .dryRun: ["to create", "to change", "to delete"]
            case .applied, .drafts: ["created", "changed", "deleted"]
            }
        var parts = zip(["create", "update", "delete"], words).compactMap { action, words in counts[action].map { "\($0) \(words)" } }
        if let drafts = counts["withdraw"] {
            parts.append("\(counted(drafts, "draft")) \(outcome == .dryRun ? "to withdraw" : "withdrawn")")
        }
        if let conflicts = counts["conflict"] { parts.append("\(counted(conflicts, "conflict")) to decide") }
        let left = drifts == 0 ? "" : " \(counted(drifts, "set")) changed on the service, which longpress pull brings into the tree."
        guard !parts.isEmpty else { return "Nothing changes.\(left)" }
        return parts.joined(separator: ", ") + (warnings == 0 ? "." : "; \(counted(warnings, "warning")).") + left
    }
}

extension PlannedChanges.OfApp {
    /// Whether there is nothing to say about the app.
    var isUnchanged: Bool { changes.isEmpty && drift.isEmpty && conflicts.isEmpty && withdrawn.isEmpty }
}

extension PlannedChanges.Change {
    /// Sentences about what a reader must know before applying the change.
    /// - Parameter time: writes a time for the reader.
    func notes(isDrafted: Bool, time: (String) -> String = { $0 }) -> [String] {
        var notes: [String] = []
        if needsOverride { notes.append("It lowers the approvals. Only an owner can apply it, with --override and a reason.") }
        if let draft { notes.append(isDrafted ? "Replaces the draft\(draft.saved(time))." : "The draft\(draft.saved(time)) stays.") }
        if let rollout {
            notes.append(
                "Revision \(rollout.revision) is rolled out to \(rollout.share) % of the installations."
                    + (isDrafted ? "" : " Promote or stop it before you apply."))
        }
        for (kind, origin) in scheduled {
            let words = [
                "publish": "A publish", "delete": "A deletion", "share": "A step of the roll-out", "promote": "A promotion",
                "stop": "The end of the roll-out",
            ]
            let what = words[kind] ?? (origin.author == nil ? "An automatic revert" : "A restore")
            notes.append("\(what)\(origin.author.map { " by \($0)" } ?? "") is scheduled for \(origin.time.map(time) ?? "").")
        }
        return notes
    }
}

extension PlannedChanges.Origin {
    fileprivate func saved(_ write: (String) -> String) -> String {
        (author.map { " that \($0) saved" } ?? "") + (time.map { " at \(write($0))" } ?? "")
    }
}
