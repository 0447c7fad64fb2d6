import QuickActions

/// A difference in the format of `GET diff` as text, with the marks of a diff: `+` added, `-` removed, `~` changed.
extension JSON {
    /// - Parameter set: the newer set, whose new items are shown with their members; nil if it is deleted.
    package func differenceLines(of set: JSON?) -> [String] {
        var lines: [String] = []
        for case .string(let id) in elements("added") {
            lines.append("+     \(id)")
            let item = set?.elements("items").first { $0["id"].map { $0.encoded == JSON.string(id).encoded } ?? false }
            for member in item?.members ?? [] where member.name != "id" {
                lines += JSON.additions("\(id).\(member.name)", member.value)
            }
        }
        for case .string(let id) in elements("removed") { lines.append("-     \(id)") }
        for item in elements("changed") { lines += (item["fields"] ?? .null).changeLines(of: item.text("id")) }
        for move in elements("moved") {
            let (from, to) = (move.integer("from") ?? 0, move.integer("to") ?? 0)
            lines.append("~     \(move.text("id") ?? ""): from position \(from + 1) to \(to + 1)")
        }
        return lines + (self["set"] ?? .null).changeLines(of: nil)
    }

    /// Old and new value by member. If both are objects, their members are compared: a title by language.
    func changeLines(of item: String?) -> [String] {
        members.flatMap { field in
            let name = (item.map { "\($0).\(field.name)" }) ?? "\(field.name)"
            return JSON.changes(name, field.value["old"] ?? .null, field.value["new"] ?? .null)
        }
    }

    private static func changes(_ name: String, _ old: JSON, _ new: JSON) -> [String] {
        if case .object(let before) = old, case .object(let after) = new {
            let names = before.map(\.name) + after.map(\.name).filter { before[$0] == nil }
            return names.flatMap { changes("\(name).\($0)", before[$0] ?? .null, after[$0] ?? .null) }
        }
        guard old.encoded != new.encoded else { return [] }
        if old.isNull { return additions(name, new) }
        if new.isNull { return ["-     \(name): \(old.shown)"] }
        return ["~     \(name): \(old.shown) → \(new.shown)"]
    }

    /// A line for a value, or one for each member of an object: a title by language.
    private static func additions(_ name: String, _ new: JSON) -> [String] {
        guard case .object(let members) = new, !members.isEmpty else { return new.isNull ? [] : ["+     \(name): \(new.shown)"] }
        return members.flatMap { additions("\(name).\($0.name)", $0.value) }
    }

    /// For a terminal: as JSON on one line.
    package var shown: String { String(decoding: encoded, as: UTF8.self) }
}

extension Finding {
    /// A warning, for a terminal.
    package var line: String { "!     \(sentence) [\(code)\(isNew ? "" : ", not new")]" }
}
