import HTTP
import Shortcuts

extension AdminRoutes {
    var revisionRoutes: [Route] {
        [
            route("listRevisions", .get, "/apps/{app}/revisions", .reader, query: ["limit", "cursor"], listRevisions),
            route("getRevision", .get, "/apps/{app}/revisions/{revision}", .reader, getRevision),
        ]
    }

    private func listRevisions(_ call: AdminCall) throws(Failure) -> Response {
        guard let app = call.appID else { throw call.missingApp }
        return .list(try stores.revisions(of: app, try call.page()), \.json)
    }

    private func getRevision(_ call: AdminCall) throws(Failure) -> Response {
        guard let app = call.appID else { throw call.missingApp }
        let text = call.parameters["revision"]
        guard let number = Int64(text), let revision = try stores.revision(number, of: app) else {
            throw Failure(.unknownResource, "There is no revision \(quoted(text)) of \(quoted(app.description)).")
        }
        return .json(revision.json)
    }
}

extension Revision {
    fileprivate var json: JSON {
        .object([
            JSON.Member("revision", .integer(number)), JSON.Member("kind", .string(kind.rawValue)),
            JSON.Member("version", .string(version.description)), JSON.Member("audience", .string(audience.description)),
            JSON.Member("publishedAt", .string(publishedAt.description)), JSON.Member("by", .string(by)),
            JSON.Member("set", set?.json ?? .null),
        ])
    }
}
