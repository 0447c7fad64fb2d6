import Foundation
import QuickActions

/// The menus of apps as files, as a team keeps them in git.
package struct MenuTree: Sendable {
    /// As the command names it, without a trailing slash.
    package let folder: String
    package internal(set) var apps: [AppID: [DocumentName: TreeFile]]
}

/// A file of a tree that was read.
package struct TreeFile: Sendable {
    enum Content: Sendable {
        case json(JSON)
        /// An Info.plist, XML or binary.
        case infoPlist([UInt8])
    }

    /// Includes the tree's folder, as messages name it.
    package let path: String
    let content: Content
}

extension MenuTree {
    /// The folder's name without a trailing slash.
    static func name(_ folder: String) -> String {
        var name = folder[...]
        while name.utf8.count > 1, name.hasSuffix("/") { name = name.dropLast() }
        return String(name)
    }

    /// The apps, ascending by their ids, each with its documents: the app, sets and releases ascending.
    var documents: [(app: AppID, files: [(name: DocumentName, file: TreeFile)])] {
        apps.sorted { $0.key < $1.key }.map { app, files in
            (app, files.map { (name: $0.key, file: $0.value) }.sorted { $0.name.precedes($1.name) })
        }
    }

    /// The file with the document at a path (`apps["com.example.mail"].sets["2.0.0"].items[0]`), and the remaining path in that file.
    func place(of path: String) -> (file: TreeFile, path: String)? {
        for (app, files) in apps {
            for (name, file) in files {
                let prefix = name.path(in: app).description
                guard path.hasPrefix(prefix) else { continue }
                let rest = path.dropFirst(prefix.count)
                if rest.isEmpty || rest.hasPrefix("[") { return (file, String(rest)) }
                if rest.hasPrefix(".") { return (file, String(rest.dropFirst())) }
            }
        }
        return nil
    }
}

extension DocumentName {
    func precedes(_ other: DocumentName) -> Bool {
        switch (self, other) {
        case (.set(let left), .set(let right)): (left.version, left.audience) < (right.version, right.audience)
        case (.release(let left), .release(let right)): AppBuild.releaseOrder(left, right)
        default: order < other.order
        }
    }

    private var order: Int {
        switch self {
        case .app: 0
        case .set: 1
        case .release: 2
        }
    }
}

extension MenuTree {
    /// The documents in the format of `POST /admin/v1/apply`, by app.
    var applied: JSON {
        .object(
            documents.map { app, files in
                var parts: [JSON.Member] = []
                var (sets, releases): ([JSON.Member], [JSON.Member]) = ([], [])
                for (name, file) in files {
                    switch name {
                    case .app: parts.append(JSON.Member("app", file.document))
                    case .set(let name): sets.append(JSON.Member(Text(name.description), file.document))
                    case .release(let id): releases.append(JSON.Member(Text(id.description), file.document))
                    }
                }
                if !sets.isEmpty { parts.append(JSON.Member("sets", .object(sets))) }
                if !releases.isEmpty { parts.append(JSON.Member("releases", .object(releases))) }
                return JSON.Member(Text(app.description), .object(parts))
            })
    }
}

extension TreeFile {
    /// In the format that the service accepts.
    fileprivate var document: JSON {
        switch content {
        case .json(let json): json
        case .infoPlist(let bytes): ["infoPlist": .string(Data(bytes).base64EncodedString())]
        }
    }
}

extension MenuTree {
    /// The documents of one app in the format of an apply.
    package func part(_ app: AppID) throws(RemoteFailure) -> JSON {
        guard let part = applied[Text(app.description)] else {
            throw RemoteFailure("\(folder) has no app \(app). It has: \(named).")
        }
        return part
    }

    package func onlyApp() throws(RemoteFailure) -> String {
        guard apps.count == 1, let app = apps.keys.first else {
            throw RemoteFailure("\(folder) has several apps: \(named). Choose one with --app.")
        }
        return app.description
    }

    private var named: String { apps.keys.sorted().map(\.description).joined(separator: ", ") }
}

/// Titles and subtitles that are keys of a String Catalog: `{"key": "shortcut.compose"}`.
extension MenuTree {
    /// Reads a tree and replaces its keys by texts.
    /// - Parameter chosen: the only apps to read; empty for all.
    /// - Returns: the tree, and a sentence for each key that lacks a language which others have.
    /// - Throws: the names of everything that is not part of the layout; then every key that cannot be used.
    package static func read(
        _ folder: String, _ catalogs: StringCatalogs, only chosen: [AppID] = []
    ) throws(RemoteFailure) -> (tree: MenuTree, notes: [String]) {
        let tree = try TreeReader.read(folder, only: Set(chosen))
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
