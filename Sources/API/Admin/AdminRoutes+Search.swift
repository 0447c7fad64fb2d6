import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var searchRoutes: [Route] {
        [route("search", .get, "/search", .reader, app: .none, query: ["q", "app", "limit", "cursor"], search)]
    }

    /// Searches all apps of the token, or the app in `app`.
    private func search(_ call: AdminCall) throws(Failure) -> Response {
        guard let text = call.request.query["q"] else {
            throw Failure(.invalidParameter, "q is missing. Add the words to search for, for example ?q=compose.")
        }
        let words = try SearchWords(text)
        var scope = call.identity.scope
        if let text = call.request.query["app"] {
            let app = try AppID(text, of: "app")
            guard scope.contains(app) else { throw .outOfReach(text, of: call.identity) }
            scope = .apps([app])
        }
        return .list(try stores.search(words, within: scope, try call.page()), \.json)
    }
}
