import HTTP
import Shortcuts

/// The client plane: what mobile backends and apps fetch, and what a tap means.
package struct ClientRoutes: Sendable {
    private let apps: any AppStore
    private let policy: CachePolicy
    private let rendered: RenderedAnswers
    private let report: FailureReport

    package init(apps: any AppStore, policy: CachePolicy, rendered: RenderedAnswers, report: @escaping FailureReport) {
        self.apps = apps
        self.policy = policy
        self.rendered = rendered
        self.report = report
    }

    static let shortcutsName = "getShortcuts"

    package var routes: [Route] {
        [
            Route(.get, "/v1/apps/{app}/versions/{version}/shortcuts", name: Self.shortcutsName, runs: .onWorker) {
                request, parameters in
                answering(request, report) { () throws(Failure) in try shortcuts(request, parameters) }
            },
            Route(.post, "/v1/apps/{app}/versions/{version}/taps", name: "resolveTap", runs: .onWorker) {
                request, parameters in
                answering(request, report) { () throws(Failure) in try tap(request, parameters) }
            },
        ]
    }

    /// Only a miss comes here: the answer is rendered once and left for the next.
    private func shortcuts(_ request: Request, _ parameters: PathParameters) throws(Failure) -> Response {
        let generation = rendered.generation
        let snapshot = try snapshot(parameters)
        let wanted = try ShortcutsRequest(request, parameters)
        guard let answer = ShortcutsAnswer(for: wanted.client, in: snapshot) else {
            return absence(request, wanted)
        }
        let menu = RenderedMenu(answer, wanted, policy)
        rendered.insert(menu.remembered, for: request, of: answer.app, since: generation)
        return menu.response(to: request)
    }

    /// 404 `no-shortcut-set`, which means: keep what is registered.
    private func absence(_ request: Request, _ wanted: ShortcutsRequest) -> Response {
        let failure = Failure(
            .noShortcutSet,
            "No set is in effect for version \(wanted.client.build.version): every published set starts later. Keep what is registered.")
        var response = Problem(failure: failure, request: request.id).response()
        response.fields.set("Cache-Control", policy.ofAbsence)
        response.fields.set("Vary", wanted.vary)
        return response
    }

    private func tap(_ request: Request, _ parameters: PathParameters) throws(Failure) -> Response {
        let snapshot = try snapshot(parameters)
        let version = try clientVersion(parameters)
        try request.query.requireUnique()
        try requireJSON(request)
        let document = TapDocument(try JSONReader.read(request.body))
        let tap = try document.tap(version: version, language: request.acceptedLanguages)
        return .json(TapAnswer(to: tap, in: snapshot).json)
    }

    private func requireJSON(_ request: Request) throws(Failure) {
        if Accept(request.fields).best(of: ["application/json"]) == nil {
            throw Failure(.notAcceptable, "The outcome of a tap is JSON. Ask for application/json.")
        }
        guard let type = request.mediaType, type != "application/json" else { return }
        throw Failure(.unsupportedMediaType, "\(quoted(type)) is not understood here. Send the field Content-Type: application/json.")
    }

    private func snapshot(_ parameters: PathParameters) throws(Failure) -> AppSnapshot {
        guard let app = AppID(parameters["app"]), let snapshot = try apps.snapshot(of: app) else {
            throw Failure(.unknownApp, "There is no app \(quoted(parameters["app"])).")
        }
        return snapshot
    }
}
