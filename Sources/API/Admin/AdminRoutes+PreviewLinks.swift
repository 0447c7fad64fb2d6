import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var previewLinkRoutes: [Route] {
        let link = "/apps/{app}/previews/{id}"
        return [
            route("listPreviews", .get, "/apps/{app}/previews", .reader, query: ["limit", "cursor"], listPreviews),
            route("createPreview", .post, "/apps/{app}/previews", .editor, createPreview),
            route("getPreview", .get, link, .reader, getPreview),
            route("deletePreview", .delete, link, .editor, deletePreview),
        ]
    }

    private func listPreviews(_ call: AdminCall) throws(Failure) -> Response {
        .list(try stores.previewLinks(of: try call.app(), at: call.time, try call.page()), \.json)
    }

    private func createPreview(_ call: AdminCall) throws(Failure) -> Response {
        let input = try PreviewLinkDocument(try call.optionalJSON()).checked()
        let (identity, app, scheme) = (call.identity, try call.app(), try snapshot(call).previewScheme)
        let new = NewPreviewLink(
            input, of: app, id: PreviewLinkID(generator.makeID()), secretBytes: generator.makeBytes(32), by: identity.owner,
            named: identity.name, creatorEndsAt: identity.expiresAt, at: call.time)
        try stores.createPreviewLink(new.link, by: call.author)
        return .json(new.json(scheme: scheme), status: .created)
    }

    private func getPreview(_ call: AdminCall) throws(Failure) -> Response {
        let (app, id) = (try call.app(), PreviewLinkID(call.parameters["id"]))
        guard let link = try stores.previewLink(id, of: app)?.link, link.expiresAt > call.time else {
            throw .unknownPreviewLink(id, of: app)
        }
        return .json(link.json)
    }

    private func deletePreview(_ call: AdminCall) throws(Failure) -> Response {
        try stores.deletePreviewLink(PreviewLinkID(call.parameters["id"]), of: try call.app(), by: call.author)
        return .noContent
    }
}
