import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    private static let plistTypes: Set = ["application/x-plist", "application/xml", "text/xml", "application/octet-stream"]
    private static let plistLimit = 4 << 20

    var releaseRoutes: [Route] {
        [
            route("listReleases", .get, "/apps/{app}/releases", .reader, query: ["limit", "cursor"], listReleases),
            route(
                "putRelease", .put, "/apps/{app}/releases/{version}", .editor, bodyLimit: Self.plistLimit, putRelease),
            route("getRelease", .get, "/apps/{app}/releases/{version}", .reader, getRelease),
            route("deleteRelease", .delete, "/apps/{app}/releases/{version}", .editor, deleteRelease),
        ]
    }

    private func listReleases(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        return try .list(try call.page(), read: { page throws(Failure) in try stores.releases(of: app, page) }, \.json)
    }

    /// The body is the app's Info.plist (XML or binary), or a JSON document.
    private func putRelease(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        let id = try call.appBuild()
        let isPlist = try call.request.mediaType.map(Self.plistTypes.contains) ?? call.bodyLooksLikePropertyList
        if isPlist { try call.request.requireBody(.badRequest) }
        let release =
            isPlist
            ? try InfoPlist(call.request.body).release(id, of: app)
            : try ReleaseDocument(try call.releaseJSON()).checked(for: id)
        let result = try stores.putRelease(release, keepsAssets: isPlist, of: app, by: call.author, expecting: call.writeCondition())
        return .json(result.json, status: result.isNew ? .created : .ok, fields: .tagged(result.release.tag))
    }

    private func getRelease(_ call: AdminCall) throws(Failure) -> Response {
        let release = try release(call)
        return call.answer(release.json, tag: release.tag)
    }

    /// The release of the path.
    func release(_ call: AdminCall) throws(Failure) -> Release {
        let app = try call.app()
        let id = try call.appBuild()
        guard let release = try stores.release(id, of: app) else {
            throw .unknownRelease(id, of: app)
        }
        return release
    }

    private func deleteRelease(_ call: AdminCall) throws(Failure) -> Response {
        let app = try call.app()
        return .json(try stores.deleteRelease(try call.appBuild(), of: app, by: call.author, expecting: call.writeCondition()).json)
    }
}

extension AdminCall {
    fileprivate var bodyLooksLikePropertyList: Bool {
        request.body.starts(with: "bplist".utf8) || request.body.starts(with: "<".utf8)
    }

    fileprivate func releaseJSON() throws(Failure) -> JSON {
        if let contentType = try request.mediaType, contentType != "application/json" {
            throw Failure(
                .unsupportedMediaType,
                "\(quoted(contentType)) is not supported here. Send an Info.plist as application/x-plist, or JSON as application/json.")
        }
        // A script may send an Info.plist with the `Content-Type` of its other calls. JSON never begins like a property list.
        guard !bodyLooksLikePropertyList else {
            throw Failure(
                .unsupportedMediaType,
                "The body is a property list, but Content-Type says application/json. Send the field Content-Type: application/x-plist.")
        }
        guard request.body.count <= 1 << 20 else {
            throw Failure(.contentTooLarge, "A JSON body may have at most 1 MiB. An Info.plist may have 4 MiB.")
        }
        return try request.json()
    }
}

/// A release's static items as the two files of an app bundle: the property list and its localized strings.
extension AdminRoutes {
    var staticItemRoutes: [Route] {
        [
            route("getStaticPropertyList", .get, "/apps/{app}/releases/{version}/static.plist", .reader, getStaticPropertyList),
            route("getStaticStrings", .get, "/apps/{app}/releases/{version}/static.strings", .reader, query: ["lang"], getStaticStrings),
        ]
    }

    private func getStaticPropertyList(_ call: AdminCall) throws(Failure) -> Response {
        let type = call.request.preferredType("application/x-plist", orText: "text/xml; charset=utf-8")
        return .document(try release(call).staticPropertyList, type: type)
    }

    /// Uses the requested language, or the app's default language.
    private func getStaticStrings(_ call: AdminCall) throws(Failure) -> Response {
        let language = try call.request.query.language
        let release = try release(call)
        let strings = StaticStrings(of: release, in: language ?? .none, from: try snapshot(call))
        return .document(Array(strings.text.utf8), type: "text/plain; charset=utf-8")
    }
}
