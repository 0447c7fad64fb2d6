import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    var previewRoutes: [Route] {
        [
            route(
                "previewMenu", .get, "/apps/{app}/preview", .reader, query: ["version", "lang", "audience", "draft", "arm"],
                previewMenu)
        ]
    }

    /// The menu that a client would be served, with the static items and the items that do not fit.
    private func previewMenu(_ call: AdminCall) throws(Failure) -> Response {
        let snapshot = try snapshot(call).seen(in: try call.arm())
        let client = Client(
            build: try call.previewedBuild(), audience: try call.request.query.audience ?? .default,
            language: try call.request.query.language ?? .none)
        return .json(Preview(for: client, in: snapshot, publishing: try draftsToShow(call)).json)
    }

    /// The drafts that `?draft=true` shows as if they were published.
    func draftsToShow(_ call: AdminCall) throws(Failure) -> [Draft] {
        try call.flag("draft") ? try stores.drafts(of: try call.app()) : []
    }
}

extension AdminCall {
    /// `arm`: the menu of a roll-out to show.
    func arm() throws(Failure) -> RolloutArm {
        guard let text = request.query["arm"] else { return .control }
        guard let arm = RolloutArm(rawValue: text) else {
            throw Failure(.invalidParameter, "arm: \(quoted(text)) is not an arm. Use candidate or control.")
        }
        return arm
    }

    /// `version`, `2.1.0` or `2.1.0+512`.
    fileprivate func previewedBuild() throws(Failure) -> AppBuild {
        guard let text = request.query.withPlusSigns("version") else {
            throw Failure(.invalidParameter, "version is missing. Add the client's version, for example ?version=2.1.0.")
        }
        return try AppBuild(text, of: "version", else: .invalidVersion)
    }
}
