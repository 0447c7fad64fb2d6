import QuickActions

/// A change of a set in sentences, as the console says it. Items are named by their titles.
struct SetSentences {
    /// The set before and after the change, as far as they are known.
    let before: JSON?
    let after: JSON?
    /// The titles of the items of all sets, by id.
    let titles: [String: JSON]
    let language: String
    /// The app's fallback URL.
    let fallbackURL: String?

    /// - Parameter difference: in the format of `GET diff`.
    func lines(of difference: JSON) -> [String] {
        let (added, removed) = (difference.ids("added"), difference.ids("removed"))
        let heirs = Set(removed.compactMap { heir(of: $0) })
        return removed.map(removal) + added.filter { !heirs.contains($0) }.map(addition)
            + difference.elements("changed").flatMap { item in
                changes(of: item.text("id") ?? "", item["fields"]?.members ?? [], told: Set(removed))
            }
            + difference.elements("moved").map { "\(name($0.text("id") ?? "")) is now number \(($0.integer("to") ?? 0) + 1)." }
            + (difference["set"]?.members ?? []).flatMap { setChange($0, told: Set(removed)) }
    }

    /// The title of an item, or its id if the title is unknown.
    func name(_ id: String) -> String { GitHubText.code(title(id) ?? id) }

    /// What a tap opens that no rule covers, or that a rule retires.
    func opens(_ url: String?) -> String {
        (url ?? after?.text("fallbackURL") ?? fallbackURL).map { "opens \(GitHubText.code($0))" } ?? "opens the app"
    }

    private func title(_ id: String) -> String? {
        let titles = after?.item(id)?["title"] ?? before?.item(id)?["title"] ?? titles[id]
        return titles.flatMap { titles in
            titles.text(Text(language)) ?? titles.members.lazy.compactMap { titles.text($0.name) }.first
        }
    }

    private func heir(of id: String) -> String? {
        (after?.elements("items") ?? []).first { $0.ids("replaces").contains(id) }?.text("id")
    }

    private func removal(_ id: String) -> String {
        if let heir = heir(of: id) { return "\(name(id)) → \(name(heir))" }
        if let entry = (after?.elements("retired") ?? []).first(where: { $0.text("id") == id }) {
            return "\(name(id)) is retired: a tap \(opens(entry.text("url")))."
        }
        return "\(name(id)) is removed without a rule: a tap \(opens(nil))."
    }

    private func addition(_ id: String) -> String {
        let titles = after?.item(id)?["title"]?.members ?? []
        let others = titles.filter { $0.name.string != language }.prefix(8).map { "\($0.name): \(value($0.value))" }
        return "\(name(id)) is new." + (others.isEmpty ? "" : " \(others.joined(separator: ", "))")
    }

    /// - Parameter told: removed ids, which have their own sentences.
    private func changes(of id: String, _ fields: [JSON.Member], told: Set<String>) -> [String] {
        fields.flatMap { field -> [String] in
            let (old, new) = (field.value["old"] ?? .null, field.value["new"] ?? .null)
            if field.name == "enabled" {
                return ["\(name(id)) \(new.isFalse ? "is no longer shown" : "is shown")."]
            }
            if field.name == "replaces", new.strings.allSatisfy({ old.strings.contains($0) || told.contains($0) }),
                old.strings.allSatisfy({ new.strings.contains($0) })
            {
                return []
            }
            return Self.flat(field.name.string, old, new).map { member, old, new in
                "\(Self.memberName(member)) of \(name(id)): \(fromTo(old, new))"
            }
        }
    }

    private func setChange(_ field: JSON.Member, told: Set<String>) -> [String] {
        let (old, new) = (field.value["old"] ?? .null, field.value["new"] ?? .null)
        guard field.name == "retired" else { return ["\(Self.memberName(field.name.string)): \(fromTo(old, new))"] }
        let (before, after) = (old.retired, new.retired)
        let begun = after.filter { entry in !told.contains(entry.id) && !before.contains { $0 == entry } }
        let ended = before.filter { entry in !after.contains { $0.id == entry.id } }
        return begun.map { "\(name($0.id)) is retired: a tap \(opens($0.url))." } + ended.map { "\(name($0.id)) is no longer retired." }
    }

    private func fromTo(_ old: JSON, _ new: JSON) -> String {
        if old.isNull { return value(new) }
        return "~~\(value(old))~~ → \(new.isNull ? "nothing" : value(new))"
    }

    private func value(_ json: JSON) -> String { GitHubText.code(json.plain) }

    /// The members of an object that differ; the value itself if it is not an object.
    private static func flat(_ name: String, _ old: JSON, _ new: JSON) -> [(String, JSON, JSON)] {
        guard ["title", "subtitle", "icon", "userInfo", "personal"].contains(name), old.isNull || old.isObject, new.isNull || new.isObject
        else {
            return [(name, old, new)]
        }
        let names = old.members.map(\.name) + new.members.map(\.name).filter { old[$0] == nil }
        return names.compactMap { inner in
            let (before, after) = (old[inner] ?? .null, new[inner] ?? .null)
            return before.encoded == after.encoded ? nil : ("\(name).\(inner)", before, after)
        }
    }

    /// The console's name of a member: `title.de` is the title in German.
    static func memberName(_ path: String) -> String {
        let (name, inner) = path.firstIndex(of: ".").map { (String(path[..<$0]), String(path[path.index(after: $0)...])) } ?? (path, "")
        switch (name, inner) {
        case ("title", _): return "Title" + of(inner)
        case ("subtitle", _): return "Subtitle" + of(inner)
        case ("userInfo", _): return "User info" + of(inner)
        case ("icon", _): return "Icon" + of(inner)
        case ("personal", _): return inner.isEmpty ? "Personal item" : ofPersonal[inner] ?? GitHubText.code(path)
        case ("retired", _) where !inner.isEmpty: return "The rule" + of(inner)
        default: return names[path] ?? GitHubText.code(path)
        }
    }

    private static func of(_ inner: String) -> String { inner.isEmpty ? "" : " \(GitHubText.code(inner))" }

    private static let ofPersonal = ["source": "Source", "limit": "Maximum", "sample": "Sample values"]

    private static let names = [
        "type": "Type", "url": "URL", "targetContentIdentifier": "Target content", "replaces": "Replaced items", "retired": "Retired items",
        "fallbackURL": "Fallback URL", "order": "Order", "removed": "Keep or remove", "name": "Name", "defaultLanguage": "Default language",
        "approvals": "Approvals", "items": "Items",
    ]
}

extension JSON {
    /// The value for people: text without quotes, other values as JSON.
    var plain: String {
        if case .string(let text) = self { text.string } else { String(decoding: encoded, as: UTF8.self) }
    }

    func item(_ id: String) -> JSON? { elements("items").first { $0.text("id") == id } }

    func ids(_ name: Text) -> [String] { self[name]?.strings ?? [] }

    fileprivate var strings: [String] {
        guard case .array(let elements) = self else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text.string } else { nil } }
    }

    fileprivate var isObject: Bool { if case .object = self { true } else { false } }

    fileprivate var isFalse: Bool { if case .boolean(false) = self { true } else { false } }

    fileprivate var retired: [RetiredEntry] {
        guard case .array(let entries) = self else { return [] }
        return entries.compactMap { entry in entry.text("id").map { RetiredEntry(id: $0, url: entry.text("url")) } }
    }
}

private struct RetiredEntry: Equatable {
    let id: String
    let url: String?
}
