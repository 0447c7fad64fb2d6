import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var nodeRoutes: [Route] {
        [route("listNodes", .get, "/nodes", .owner, app: .none, listNodes)]
    }

    /// Lists all nodes on one page.
    private func listNodes(_ call: AdminCall) throws(Failure) -> Response {
        guard call.identity.scope == .all else {
            throw Failure(
                .forbidden,
                "\(call.identity.title) is limited to some apps, but every node serves all apps. Use a token without that limit.")
        }
        return .list(Page(whole: try stores.nodes()), \.json)
    }
}

extension Node {
    fileprivate var json: JSON {
        [
            "node": .string(name), "version": .string(version), "startedAt": .string(startedAt), "seenAt": .string(seenAt),
            "clockOffsetMs": .integer(clockOffsetMilliseconds), "changesBehind": .integer(changesBehind),
        ]
    }
}
