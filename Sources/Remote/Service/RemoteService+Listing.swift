import QuickActions

/// Reads the parts of an app that a tree contains.
extension RemoteService {
    /// All apps to which the token has access, with their documents.
    func apps() throws(RemoteFailure) -> [(id: AppID, document: JSON)] {
        try list("/apps") { json in json.text("app").flatMap { AppID($0) }.map { ($0, json.appDocument) } }
    }

    func sets(of app: AppID) throws(RemoteFailure) -> [SetName] {
        try list("/apps/\(app)/sets", SetName.init)
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
    /// An app's document in the form of a tree: without its id and without null members.
    fileprivate var appDocument: JSON { .object(withoutNulls.members.filter { $0.name != "app" }) }

    fileprivate var withoutNulls: JSON { .object(members.filter { !$0.value.isNull }) }
}
