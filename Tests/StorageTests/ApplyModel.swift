import Shortcuts

/// A second implementation of the effects of an apply, written from the contract alone: apps as names and numbers, without the program's
/// types.
struct ApplyModel {
    struct Key: Hashable, Comparable {
        let audience: String
        let version: Int

        /// The name in a tree, with the version in one of its spellings.
        func name(_ spelling: Int) -> String {
            let version = ["\(version)", "\(version).0", "0\(version).0.0"][spelling % 3]
            return audience == "default" && spelling % 2 == 0 ? version : "\(version)@\(audience)"
        }

        static func < (left: Key, right: Key) -> Bool { (left.audience, left.version) < (right.audience, right.version) }
    }

    struct Content: Hashable {
        var items: [String]
        var title: String
        var languages: Set<String>
        /// By the id of the item.
        var replaces: [String: String]
        var retired: [String]

        var ended: Set<String> { Set(replaces.values).union(retired) }

        var json: String {
            let items = items.map { id in
                let titles = languages.sorted().map { #""\#($0)":"\#(title) \#(id)""# }.joined(separator: ",")
                let replaced = replaces[id].map { #","replaces":["\#($0)"]"# } ?? ""
                return #"{"id":"\#(id)","type":"t","title":{\#(titles)}\#(replaced)}"#
            }
            let gone = retired.isEmpty ? "" : #","retired":[\#(retired.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]"#
            return #"{"items":[\#(items.joined(separator: ","))]\#(gone)}"#
        }
    }

    struct App: Hashable {
        var language: String
        var name: String?
        var sets: [Key: Content] = [:]
        /// The name of each release, by version.
        var releases: [Int: String] = [:]
        var revision: Int64 = 0
    }

    struct Tree {
        var app: (language: String, name: String?)?
        var sets: [Key: Content]
        var releases: [Int: String]
    }

    struct Request {
        var trees: [String: Tree]
        var base: [String: Int64]
        var prunes: Bool

        /// - Parameter spelling: the spelling of versions.
        func json(_ spelling: Int) -> String {
            let apps = trees.sorted { $0.key < $1.key }.map { id, tree in
                let sets = tree.sets.sorted { $0.key < $1.key }.map { #""\#($0.key.name(spelling))":\#($0.value.json)"# }
                let releases = tree.releases.sorted { $0.key < $1.key }.map { #""\#($0.key).0":{"displayName":"\#($0.value)"}"# }
                let app = tree.app.map { app in
                    let name = app.name.map { #","name":"\#($0)""# } ?? ""
                    return #""app":{"defaultLanguage":"\#(app.language)"\#(name)},"#
                }
                return """
                    "\(id)":{\(app ?? "")"sets":{\(sets.joined(separator: ","))},"releases":{\(releases.joined(separator: ","))}}
                    """
            }
            let base = base.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#($0.value)"# }
            return #"{"base":{\#(base.joined(separator: ","))},"apps":{\#(apps.joined(separator: ","))}}"#
        }
    }

    var apps: [String: App] = [:]
    /// The last number that was given to an app with this name.
    var numbers: [String: Int64] = [:]

    enum Outcome: Equatable {
        case refused(Failure.Code)
        /// - Parameter changes: `app kind name action`.
        case applied(changes: Set<String>)
    }

    /// Applies the request, or rejects it and changes nothing.
    mutating func apply(_ request: Request) -> Outcome {
        guard request.trees.allSatisfy({ apps[$0.key] != nil || $0.value.app != nil }) else { return .refused(.unknownApp) }
        var after = apps
        for (id, tree) in request.trees { after[id] = Self.app(id, apps[id], tree, request.prunes, number: numbers[id] ?? 0) }
        for (id, tree) in request.trees {
            guard let language = after[id]?.language else { continue }
            for set in tree.sets.values where !set.items.isEmpty && !set.languages.contains(language) { return .refused(.invalidDocument) }
        }
        for (id, base) in request.base where (apps[id]?.revision ?? 0) != base { return .refused(.preconditionFailed) }
        for id in request.trees.keys where after[id].map(Self.hasReusedID) ?? false { return .refused(.idReused) }
        for id in request.trees.keys {
            guard let app = after[id], app.language != apps[id]?.language else { continue }
            for set in app.sets.values where !set.items.isEmpty && !set.languages.contains(app.language) { return .refused(.conflict) }
        }
        let changes = Set(request.trees.keys.flatMap { Self.changes(of: $0, from: apps[$0], to: after[$0]) })
        apps = after
        for (id, app) in after { numbers[id] = max(numbers[id] ?? 0, app.revision) }
        return .applied(changes: changes)
    }

    private static func app(_ id: String, _ former: App?, _ tree: Tree, _ prunes: Bool, number: Int64) -> App? {
        guard var app = former ?? tree.app.map({ App(language: $0.language, revision: number) }) else { return nil }
        if let document = tree.app { (app.language, app.name) = (document.language, document.name) }
        app.releases.merge(tree.releases) { $1 }
        let before = app.sets
        if prunes { app.sets = app.sets.filter { tree.sets[$0.key] != nil } }
        app.sets.merge(tree.sets) { $1 }
        app.revision += Int64(Set(before.keys).union(app.sets.keys).count { before[$0] != app.sets[$0] })
        return app
    }

    /// Whether an id that a set replaces or retires is an item of a later set of its audience.
    private static func hasReusedID(_ app: App) -> Bool {
        app.sets.contains { key, set in
            app.sets.contains { later, other in
                later.audience == key.audience && later.version > key.version && !set.ended.isDisjoint(with: other.items)
            }
        }
    }

    private static func changes(of id: String, from old: App?, to new: App?) -> [String] {
        guard let new else { return [] }
        var changes: [String] = []
        if old == nil { changes.append("\(id) app  create") }
        if let old, (old.language, old.name) != (new.language, new.name) { changes.append("\(id) app  update") }
        for (version, name) in new.releases where old?.releases[version] != name {
            changes.append("\(id) release \(version).0.0 \(old?.releases[version] == nil ? "create" : "update")")
        }
        for key in Set(new.sets.keys).union(old.map { Set($0.sets.keys) } ?? []) {
            let (before, after) = (old?.sets[key], new.sets[key])
            guard before != after else { continue }
            let action = before == nil ? "create" : after == nil ? "delete" : "update"
            changes.append("\(id) set \(key.version).0.0@\(key.audience) \(action)")
        }
        return changes
    }
}
