import QuickActions

/// Reads the parts of an app that a tree contains.
extension RemoteService {
    /// All apps to which the token has access, with their documents.
    func apps() throws(RemoteFailure) -> [(id: AppID, document: JSON)] {
        try list("/apps") { json in json.text("app").flatMap { AppID($0) }.map { ($0, json.appDocument) } }
    }

    func sets(of app: AppID) throws(RemoteFailure) -> [(name: SetName, revision: Int64)] {
        try list("/apps/\(app)/sets") { json in
            SetName(json).flatMap { name in json.integer("revision").map { (name, $0) } }
        }
    }

    /// The ends of the campaigns that run: when, and the set that is published then; nil for a deletion.
    func campaigns(of app: AppID, among sets: [(name: SetName, revision: Int64)]) throws(RemoteFailure) -> [SetName: (
        at: String, set: JSON?
    )] {
        let current = Dictionary(sets.map { ($0.name, $0.revision) }, uniquingKeysWith: { first, _ in first })
        let entries = try list("/apps/\(app)/schedule") { json in SetName(json).map { (name: $0, entry: json) } }
        let ends = entries.filter { $0.entry.integer("expectedRevision") == current[$0.name] && current[$0.name] != nil }
        return Dictionary(
            ends.map { ($0.name, ($0.entry.text("at") ?? "", $0.entry["set"].flatMap { $0.isNull ? nil : $0 })) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The document as `PUT` accepts it; nil if it was deleted in the meantime.
    func set(_ name: SetName, of app: AppID) throws(RemoteFailure) -> JSON? {
        do throws(RemoteFailure) {
            return try json(Call(path: "/apps/\(app)/sets/\(name.version)", query: [("audience", name.audience.description)]))
        } catch {
            guard error.refusal?.status == 404 else { throw error }
            return nil
        }
    }

    /// The sets that were ever published. Some may be deleted.
    func revisedSets(of app: AppID) throws(RemoteFailure) -> Set<SetName> {
        Set(try list("/apps/\(app)/revisions", SetName.init))
    }

    func releases(of app: AppID) throws(RemoteFailure) -> [(id: AppBuild, document: JSON)] {
        try list("/apps/\(app)/releases") { json in
            guard let version = json.text("version").flatMap({ AppVersion($0) }) else { return nil }
            return (AppBuild(version, build: json.text("build").flatMap { BuildNumber($0) }), json.withoutNulls)
        }
    }

    private func list<Item>(_ path: String, _ read: (JSON) -> Item?) throws(RemoteFailure) -> [Item] {
        var items: [Item] = []
        var cursor: String?
        repeat {
            let page = try page(of: RemoteList(path), from: cursor)
            for element in page.items {
                guard let item = read(element) else { throw notLongpress("answered \(path) with a list that cannot be read") }
                items.append(item)
            }
            cursor = page.next
        } while cursor != nil
        return items
    }
}

extension SetName {
    fileprivate init?(_ json: JSON) {
        guard let version = json.text("version").flatMap({ AppVersion($0) }), let audience = json.text("audience").flatMap({ Audience($0) })
        else { return nil }
        self.init(version: version, audience: audience)
    }
}

extension JSON {
    /// An app's document in the form of a tree: what `PUT` of an app accepts, without null members.
    fileprivate var appDocument: JSON {
        .object(withoutNulls.members.filter { !["app", "icon"].contains($0.name) })
    }

    fileprivate var withoutNulls: JSON { .object(members.filter { !$0.value.isNull }) }
}
