import QuickActions

/// A plan as text, in the marks of a diff: `+` what is new, `-` what goes, `~` what is another.
package struct PlanReport {
    private var lines: [String] = []
    private var counts: [String: Int] = [:]
    private var warnings = 0
    private let tree: MenuTree?

    /// - Parameter tree: whose files warnings are named by; nil where there is none.
    package static func text(_ plan: PlannedChanges, of tree: MenuTree?) -> String {
        var report = PlanReport(tree: tree)
        for app in plan.apps where !app.changes.isEmpty { report.write(app) }
        report.lines.append(report.summary)
        return report.lines.joined(separator: "\n")
    }

    private init(tree: MenuTree?) {
        self.tree = tree
    }

    private mutating func write(_ app: PlannedChanges.OfApp) {
        lines.append("\(app.app) (revision \(app.revision))\(app.isDrafted ? ", as drafts" : "")")
        for change in app.changes {
            counts[change.action, default: 0] += 1
            lines.append("\(Self.mark(change.action)) \(change.name.title)")
            if let difference = change.difference { write(difference, creates: change.action == "create") }
            if let fields = change.fields { write(fields: fields, of: nil) }
            for warning in change.warnings {
                warnings += 1
                let where_ = warning.isNew ? "" : ", not new"
                lines.append("!     \(warning.sentence) [\(warning.code)\(where_)]")
            }
        }
        lines.append("")
    }

    private static func mark(_ action: String) -> String {
        switch action {
        case "create": "+"
        case "delete": "-"
        default: "~"
        }
    }

    /// As `GET diff` answers it.
    private mutating func write(_ difference: JSON, creates: Bool) {
        for item in difference.elements("added") { lines.append("+     \(item.shown)") }
        for item in difference.elements("removed") { lines.append("-     \(item.shown)") }
        for item in difference.elements("changed") { write(fields: item["fields"] ?? .null, of: item.text("id")) }
        for move in difference.elements("moved") {
            let (from, to) = (move.integer("from") ?? 0, move.integer("to") ?? 0)
            lines.append("~     \(move.text("id") ?? ""): from place \(from + 1) to \(to + 1)")
        }
        write(fields: difference["set"] ?? .null, of: nil)
    }

    /// Old and new by member; those that are objects in both are told apart by their own members: a title by language.
    private mutating func write(fields: JSON, of item: String?) {
        for field in fields.members {
            let name = (item.map { "\($0).\(field.name)" }) ?? "\(field.name)"
            for line in Self.changes(name, field.value["old"] ?? .null, field.value["new"] ?? .null) { lines.append(line) }
        }
    }

    private static func changes(_ name: String, _ old: JSON, _ new: JSON) -> [String] {
        if case .object(let before) = old, case .object(let after) = new {
            let names = before.map(\.name) + after.map(\.name).filter { before[$0] == nil }
            return names.flatMap { changes("\(name).\($0)", before[$0] ?? .null, after[$0] ?? .null) }
        }
        guard old.encoded != new.encoded else { return [] }
        if old.isNull { return ["+     \(name): \(new.shown)"] }
        if new.isNull { return ["-     \(name): \(old.shown)"] }
        return ["~     \(name): \(old.shown) → \(new.shown)"]
    }

    private var summary: String {
        let parts = [("create", "to create"), ("update", "to change"), ("delete", "to delete")].compactMap { action, words in
            counts[action].map { "\($0) \(words)" }
        }
        guard !parts.isEmpty else { return "Nothing changes." }
        return parts.joined(separator: ", ") + (warnings == 0 ? "." : "; \(counted(warnings, "warning")).")
    }
}

extension JSON {
    /// For a terminal: a string in quotes, ids without.
    fileprivate var shown: String {
        if case .string(let text) = self, ItemID(text.string) != nil { return text.string }
        return String(decoding: encoded, as: UTF8.self)
    }
}
