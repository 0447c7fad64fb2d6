import HTTP
import QuickActions
import Shortcuts

extension AdminRoutes {
    /// An Info.plist of 4 MiB in base64, and an app's part of a tree.
    private static let checkLimit = (4 << 20) / 3 * 4 + (16 << 20)

    var updateGapRoutes: [Route] {
        [
            route(
                "simulateUpdate", .get, "/apps/{app}/simulate", .reader, query: ["from", "to", "lang", "audience", "draft", "arm"],
                simulateUpdate),
            route("checkRelease", .post, "/apps/{app}/check", .reader, bodyLimit: Self.checkLimit, checkRelease),
        ]
    }

    /// Simulates the menu between an update and the first launch after it.
    private func simulateUpdate(_ call: AdminCall) throws(Failure) -> Response {
        let snapshot = try snapshot(call).seen(in: try call.arm()).publishing(try draftsToShow(call))
        let (from, to) = try call.updatePath()
        let simulation = Simulation(
            from: from, to: to, audience: try call.request.query.audience ?? .default, language: try call.request.query.language ?? .none,
            in: snapshot)
        switch Accept(call.request.fields).best(of: ["application/json", "text/plain"]) {
        case "application/json": return .json(simulation.json)
        case "text/plain": return .document(Array(simulation.drawing.utf8), type: "text/plain; charset=utf-8")
        default:
            throw Failure(.notAcceptable, "This resource is only available as application/json and text/plain. Accept one of them.")
        }
    }

    /// Answers 200 whatever the check finds.
    private func checkRelease(_ call: AdminCall) throws(Failure) -> Response {
        .json(try stores.check(try call.json(), of: try call.app()).json)
    }
}

extension AdminCall {
    /// `from` and `to`, each `2.1.0` or `2.1.0+512`.
    fileprivate func updatePath() throws(Failure) -> (from: AppBuild, to: AppBuild) {
        let missing = ["from", "to"].filter { request.query[$0] == nil }
        guard missing.isEmpty else {
            throw Failure(
                .invalidParameter,
                "Missing in the query: \(missing.joined(separator: " and ")). Add the versions before and after the update, for example "
                    + "?from=2.9&to=3.0.")
        }
        return (try queriedBuild("from"), try queriedBuild("to"))
    }

    private func queriedBuild(_ name: String) throws(Failure) -> AppBuild {
        try AppBuild(request.query.withPlusSigns(name) ?? "", of: name, else: .invalidVersion)
    }
}
