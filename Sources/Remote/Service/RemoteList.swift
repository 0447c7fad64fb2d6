import QuickActions

/// A list of the admin plane, which the service answers in pages.
package struct RemoteList: Sendable {
    let path: String
    let query: [(name: String, value: String)]
    /// The app that the list belongs to; its items do not name it.
    let app: AppID?

    init(_ path: String, of app: AppID? = nil, _ query: [(name: String, value: String?)] = []) {
        self.path = path
        self.query = query.compactMap { name, value in value.map { (name, $0) } }
        self.app = app
    }

    package static let apps = RemoteList("/apps")
    package static let webhooks = RemoteList("/webhooks")
    package static let tokens = RemoteList("/tokens")

    package static func drafts(of app: AppID) -> RemoteList { RemoteList("/apps/\(app)/drafts", of: app) }

    package static func schedule(of app: AppID) -> RemoteList { RemoteList("/apps/\(app)/schedule", of: app) }

    package static func previews(of app: AppID) -> RemoteList { RemoteList("/apps/\(app)/previews", of: app) }

    package static func releases(of app: AppID) -> RemoteList { RemoteList("/apps/\(app)/releases", of: app) }

    /// The revisions, newest first.
    /// - Parameter set: nil for those of all sets.
    package static func revisions(of app: AppID, _ set: SetName?) -> RemoteList {
        RemoteList(
            "/apps/\(app)/revisions", of: app, [("version", set?.version.description), ("audience", set?.audience.description)])
    }

    /// The results of a search. A page may be empty before the last one.
    package static func search(_ text: String, in app: AppID?) -> RemoteList {
        RemoteList("/search", [("q", text), ("app", app?.description)])
    }
}

extension RemoteService {
    /// A page of a list.
    /// - Parameter cursor: `next` of the previous page.
    /// - Returns: the items, each with the member `app` if the list belongs to an app; `next` is nil after the last page.
    package func page(of list: RemoteList, from cursor: String?) throws(RemoteFailure) -> (items: [JSON], next: String?) {
        let query = list.query + [("limit", "200")] + (cursor.map { [("cursor", $0)] } ?? [])
        let remedy = list.app.map { _ in ServiceError.appRemedy }
        let page = try json(Call(path: list.path, query: query.map { ($0.name, $0.value) }, remedy: remedy))
        guard case .array(let items)? = page["items"] else { throw notLongpress("answered \(list.path) without a list") }
        let next = page.text("next")
        guard next == nil || next != cursor else { throw notLongpress("answered \(list.path) with a list that never ends") }
        guard let app = list.app else { return (items, next) }
        let owner: JSON = ["app": .string(app)]
        return (items.map { owner.adding(membersOf: $0) }, next)
    }

    /// Calls `work` with the items of each page.
    package func eachPage(of list: RemoteList, _ work: ([JSON]) throws -> Void) throws {
        var cursor: String?
        repeat {
            let page = try page(of: list, from: cursor)
            try work(page.items)
            cursor = page.next
        } while cursor != nil
    }

    /// The ids of all apps to which the token has access.
    package func appIDs() throws(RemoteFailure) -> [AppID] { try apps().map(\.id) }
}
