import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var appRoutes: [Route] {
        [
            route("listApps", .get, "/apps", .reader, app: .none, query: ["q", "sort", "limit", "cursor"], listApps),
            route("putApp", .put, "/apps/{app}", .owner, app: .named, query: ["override"], putApp),
            route("getApp", .get, "/apps/{app}", .reader, getApp),
            route("patchApp", .patch, "/apps/{app}", .owner, query: ["override"], patchApp),
            route("deleteApp", .delete, "/apps/{app}", .owner, deleteApp),
        ]
    }

    private func listApps(_ call: AdminCall) throws(Failure) -> Response {
        .list(try stores.apps(try call.page(), matching: try call.appQuery(), within: call.identity.scope), \.json)
    }

    private func getApp(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        return call.answer(app.json, tag: app.tag)
    }

    private func putApp(_ call: AdminCall) throws(Failure) -> Response {
        let id = try call.app()
        let requested = try AppDocument(try call.json()).checked(for: id)
        let result = try stores.putApp(id, override: try call.override(), by: call.author) { snapshot throws(Failure) in
            try call.writeCondition().require(snapshot?.app)
            try snapshot?.requireTitles(in: requested.defaultLanguage)
            return requested.app(after: snapshot?.app)
        }
        return .json(result.app.json, status: result.isNew ? .created : .ok, fields: .tagged(result.app.tag))
    }

    /// A JSON merge patch (RFC 7396).
    private func patchApp(_ call: AdminCall) throws(Failure) -> Response {
        let id = try call.app()
        let patch = try call.mergePatch()
        let result = try stores.putApp(id, override: try call.override(), by: call.author) { snapshot throws(Failure) in
            guard let snapshot else { throw .unknownApp(id) }
            let requested = try AppDocument(snapshot.app.json.merging(patch)).checked(for: id, current: snapshot.app.defaultLanguage)
            try call.writeCondition().require(snapshot.app)
            try snapshot.requireTitles(in: requested.defaultLanguage)
            return requested.app(after: snapshot.app)
        }
        return .json(result.app.json, fields: .tagged(result.app.tag))
    }

    private func deleteApp(_ call: AdminCall) throws(Failure) -> Response {
        let id = try call.app()
        try stores.deleteApp(id, by: call.author, expecting: call.writeCondition())
        return .noContent
    }
}

extension AdminCall {
    /// `q` and `sort`.
    fileprivate func appQuery() throws(Failure) -> AppQuery {
        let text = request.query["q"] == "" ? nil : try searched("q", "a part of an id or a name")
        let sort = request.query["sort"] ?? AppQuery.Order.id.rawValue
        guard let order = AppQuery.Order(rawValue: sort) else {
            let orders = AppQuery.Order.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.invalidParameter, "sort: \(quoted(sort)) is not a sort order of apps. Use one of: \(orders).")
        }
        return AppQuery(text ?? "", by: order)
    }
}
