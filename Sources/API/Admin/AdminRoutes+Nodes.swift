import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var nodeRoutes: [Route] {
        [route("listNodes", .get, "/nodes", .owner, app: .none, listNodes)]
    }

    /// All of them on one page.
    private func listNodes(_ call: AdminCall) throws(Failure) -> Response {
        guard call.identity.scope == .all else {
            throw Failure(.forbidden, "\(call.identity.title) is for some apps only, and nodes serve all of them.")
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
