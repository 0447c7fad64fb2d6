import QuickActions

/// Titles and subtitles that are keys of a String Catalog: `{"key": "shortcut.compose"}`.
extension MenuTree {
    /// Reads a tree and replaces its keys by texts.
    /// - Returns: the tree, and a sentence for each key that lacks a language which others have.
    /// - Throws: the names of everything that is not part of the layout; then every key that cannot be used.
    package static func read(_ folder: String, _ catalogs: StringCatalogs) throws(RemoteFailure) -> (tree: MenuTree, notes: [String]) {
        let tree = try TreeReader.read(folder)
        guard !tree.apps.isEmpty else {
            throw RemoteFailure(
                "\(folder) has no app. A tree has a folder for each app, such as \(folder)/com.example.mail/sets/2.0.0.json.")
        }
        return try tree.resolving(catalogs)
    }

    /// The tree with all keys replaced by texts, so that the service accepts its documents.
    /// - Returns: the tree, and a sentence for each key that lacks a language which others have.
    /// - Throws: every key that is missing or cannot be used.
    func resolving(_ catalogs: StringCatalogs) throws(RemoteFailure) -> (tree: MenuTree, notes: [String]) {
        var resolved = self
        var problems: [String] = []
        var used: Set<Text> = []
        for (app, files) in documents {
            let language = defaultLanguage(of: app)
            for (name, file) in files {
                guard case .set = name, case .json(let set) = file.content else { continue }
                let replaced = set.replacingKeys { key, path in
                    used.insert(key)
                    let found = catalogs.titles(for: key, needing: language, at: "\(file.path): \(path)")
                    problems += found.problems
                    return found.titles
                } refusing: { path in
                    problems.append("\(file.path): \(path) has both a key and languages. Use only one of them.")
                }
                resolved.apps[app]?[name] = TreeFile(path: file.path, content: .json(replaced))
            }
        }
        guard problems.isEmpty else { throw RemoteFailure(problems) }
        return (resolved, catalogs.gaps(in: used))
    }

    /// The default language in the tree's app document; nil if it has none.
    private func defaultLanguage(of app: AppID) -> LanguageTag? {
        guard case .json(let document)? = apps[app]?[.app]?.content else { return nil }
        return document.text("defaultLanguage").flatMap { LanguageTag($0) }
    }
}

extension JSON {
    private static let keyedMembers: [Text] = ["title", "subtitle"]

    /// A set's document with its keys replaced by texts. Values that do not have a set's structure stay unchanged.
    fileprivate func replacingKeys(with texts: (Text, DocumentPath) -> JSON, refusing: (DocumentPath) -> Void) -> JSON {
        replacing("items") { items in
            guard case .array(let elements) = items else { return items }
            return .array(
                elements.enumerated().map { index, item in
                    Self.keyedMembers.reduce(item) { item, member in
                        item.replacing(member) { title in
                            let path = DocumentPath.root["items"][index][member]
                            if title.isKeyBesideLanguages { refusing(path) }
                            return title.catalogKey.map { texts($0, path) } ?? title
                        }
                    }
                })
        }
    }

    /// `shortcut.compose` of `{"key": "shortcut.compose"}`; nil for everything else.
    var catalogKey: Text? {
        guard case .object(let members) = self, members.count == 1, case .string(let key)? = members["key"] else { return nil }
        return key
    }

    private var isKeyBesideLanguages: Bool {
        guard case .object(let members) = self else { return false }
        return members.count > 1 && members["key"] != nil
    }

    /// The object with the member's value replaced, if it has the member.
    func replacing(_ name: Text, with change: (JSON) -> JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.name == name ? Member($0.name, change($0.value)) : $0 })
    }
}
