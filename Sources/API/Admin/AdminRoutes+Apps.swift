import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var appRoutes: [Route] {
        [
            route("listApps", .get, "/apps", .reader, app: .none, query: ["q", "sort", "attention", "limit", "cursor"], listApps),
            route("putApp", .put, "/apps/{app}", .owner, app: .named, query: ["override"], putApp),
            route("getApp", .get, "/apps/{app}", .reader, getApp),
            route("patchApp", .patch, "/apps/{app}", .owner, query: ["override"], patchApp),
            route("deleteApp", .delete, "/apps/{app}", .owner, deleteApp),
            route("getIcon", .get, "/apps/{app}/icon", .reader, query: ["v"], getIcon),
            route("putIcon", .put, "/apps/{app}/icon", .owner, bodyLimit: AppIcon.maxBytes, putIcon),
            route("deleteIcon", .delete, "/apps/{app}/icon", .owner, deleteIcon),
        ]
    }

    private func listApps(_ call: AdminCall) throws(Failure) -> Response {
        let query = try call.appQuery()
        if query.order == .attention { taps.flush() }
        let page = try stores.apps(try call.page(), matching: query, within: call.identity.scope)
        // Programs of earlier versions send back the members of the apps that they list.
        guard query.order == .attention || call.request.query["attention"] != nil else { return .list(page, \.json) }
        let activity = try stores.activity(of: page.items.map(\.id), at: call.time)
        return .list(page) { $0.json.adding(membersOf: activity[$0.id, default: AppActivity()].json) }
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

    /// The icon as it was sent. `v` is the entity tag, so that a changed icon has another address; it is not checked.
    private func getIcon(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        guard let png = try stores.icon(of: app.id), let tag = app.icon else { throw .noIcon(of: app.id) }
        let entityTag = EntityTag(opaque: tag)
        var fields: Fields = ["ETag": entityTag.description, "Cache-Control": "private, no-cache", "Vary": "Accept"]
        guard Precondition.ifNoneMatch(call.request.fields, current: entityTag) != .fails else {
            return Response(.notModified, fields: fields)
        }
        fields.append("Content-Type", call.request.preferredType("image/png", orText: "application/octet-stream"))
        return Response(.ok, fields: fields, body: png)
    }

    private func putIcon(_ call: AdminCall) throws(Failure) -> Response {
        try call.requireContentType(["image/png", "application/octet-stream"])
        try call.request.requireBody(.badRequest)
        let result = try stores.putIcon(
            try AppIcon(call.request.body), of: try call.app(), by: call.author, expecting: call.writeCondition())
        return .json(result.app.json, status: result.isNew ? .created : .ok, fields: .tagged(result.app.icon ?? ""))
    }

    private func deleteIcon(_ call: AdminCall) throws(Failure) -> Response {
        let app = try app(call)
        guard app.icon != nil else { throw .noIcon(of: app.id) }
        _ = try stores.putIcon(nil, of: app.id, by: call.author, expecting: call.writeCondition())
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
        return AppQuery(text ?? "", by: order, onlyAttention: try flag("attention"))
    }
}

extension Failure {
    fileprivate static func noIcon(of app: AppID) -> Failure {
        Failure(.unknownResource, "The app \(quoted(app.description)) has no icon. Send one with PUT …/icon.")
    }
}
