import HTTP
import Shortcuts

/// The client plane: what mobile backends and apps fetch, and what a tap means.
package struct ClientRoutes: Sendable {
    private let apps: any AppStore
    private let taps: any TapCounter
    private let policy: CachePolicy
    private let rendered: RenderedAnswers
    private let clock: any WallClock

    package init(
        apps: any AppStore, taps: any TapCounter, policy: CachePolicy, rendered: RenderedAnswers, clock: any WallClock
    ) {
        self.apps = apps
        self.taps = taps
        self.policy = policy
        self.rendered = rendered
        self.clock = clock
    }

    package static let shortcutsName = "getShortcuts"
    package static let continuityName = "getContinuity"
    private static let shortcutsPath = "/v1/apps/{app}/versions/{version}/shortcuts"
    private static let continuityPath = "/v1/apps/{app}/versions/{version}/continuity"

    package var routes: [Route] {
        [
            Route(.get, Self.shortcutsPath, name: Self.shortcutsName, runs: .onWorker) { request, parameters in
                remembering(request, parameters, Self.shortcutsName) { () throws(Failure) in try shortcuts(request, parameters) }
            },
            Route(.get, Self.continuityPath, name: Self.continuityName, runs: .onWorker) { request, parameters in
                remembering(request, parameters, Self.continuityName) { () throws(Failure) in try continuity(request, parameters) }
            },
            Route(.post, "/v1/apps/{app}/versions/{version}/taps", name: "resolveTap", runs: .onWorker) {
                request, parameters in
                answering(request, about: subject(parameters)) { _ throws(Failure) in try tap(request, parameters) }
            },
        ]
    }

    /// To be called after each commit that may have changed what is answered about the app. After it returns, no fetch is answered
    /// with what was before.
    package func refresh(_ app: AppID) {
        rendered.refresh(app) { request, route in
            switch route {
            case Self.shortcutsName: try? shortcuts(request, PathParameters(request.path, along: Self.shortcutsPath))
            case Self.continuityName: try? continuity(request, PathParameters(request.path, along: Self.continuityPath))
            default: nil
            }
        }
    }

    /// Only a miss comes here: the answer is rendered once and left for the next.
    private func remembering(
        _ request: Request, _ parameters: PathParameters, _ route: String,
        _ render: () throws(Failure) -> RenderedAnswers.Outcome
    ) -> Response {
        answering(request, about: subject(parameters)) { _ throws(Failure) in
            try rendered.response(to: request, by: route, render)
        }
    }

    /// Clients are people: the log does not say from where they ask.
    private func subject(_ parameters: PathParameters) -> Refusal.Subject {
        Refusal.Subject(app: AppID(parameters["app"])?.description)
    }

    private func shortcuts(_ request: Request, _ parameters: PathParameters) throws(Failure) -> RenderedAnswers.Outcome {
        let wanted = try wanted(request, parameters)
        let snapshot = try snapshot(parameters, for: wanted.client)
        let moment = policy.at(clock.now(), nextPublish: snapshot.nextPublish)
        guard let answer = ShortcutsAnswer(for: wanted.client, in: snapshot) else {
            return .response(absence(request, snapshot.app.id, wanted.client.build.version, vary: wanted.wish.vary, moment))
        }
        let menu = CacheableAnswer(
            wanted.bytes(of: answer), type: wanted.format.mediaType, of: answer.app, at: wanted.location(of: answer),
            in: answer.language, wanted.wish, moment)
        return try outcome(menu, request, in: snapshot, moment)
    }

    /// What the store could not be asked about is told, and asked about again the next time.
    private func outcome(
        _ answer: CacheableAnswer, _ request: Request, in snapshot: AppSnapshot, _ moment: CachePolicy.Moment
    ) throws(Failure) -> RenderedAnswers.Outcome {
        moment.mayBeKept && !snapshot.mayBeOutdated
            ? .cacheable(answer, of: snapshot.app.id) : .response(try answer.response(to: request))
    }

    /// That there is no such app is told before what else is wrong.
    private func wanted(_ request: Request, _ parameters: PathParameters) throws(Failure) -> ShortcutsRequest {
        do throws(Failure) {
            return try ShortcutsRequest(request, parameters)
        } catch {
            _ = try snapshot(parameters)
            throw error
        }
    }

    /// What became of every id known up to the version.
    private func continuity(_ request: Request, _ parameters: PathParameters) throws(Failure) -> RenderedAnswers.Outcome {
        let snapshot = try snapshot(parameters)
        let version = try parameters.version()
        try request.query.requireUnique()
        let audience = try request.query.audience ?? .default
        try requireJSONAccepted(request)
        let wish = CacheableAnswer.Wish(
            wantsGzip: AcceptEncoding(request.fields).prefersGzip, vary: ShortcutsRequest.varyWithoutLanguage)
        let moment = policy.at(clock.now(), nextPublish: snapshot.nextPublish)
        guard let continuity = Continuity(for: version, audience, in: snapshot) else {
            return .response(absence(request, snapshot.app.id, version, vary: wish.vary, moment))
        }
        let answer = CacheableAnswer(
            continuity.json.encoded, type: "application/json", of: continuity.app, at: continuity.location, wish, moment)
        return try outcome(answer, request, in: snapshot, moment)
    }

    /// 404 `no-shortcut-set`, which means: keep what is registered.
    private func absence(
        _ request: Request, _ app: AppID, _ version: AppVersion, vary: String, _ moment: CachePolicy.Moment
    ) -> Response {
        let failure = Failure(
            .noShortcutSet,
            "No set is in effect for version \(version): every published set starts later. Keep what is registered.")
        let subject = Refusal.Subject(app: app.description)
        var response = Problem(failure: failure, request: request.id, subject: subject).response()
        response.fields.set("Cache-Control", moment.ofAbsence)
        response.fields.set("Vary", vary)
        return response
    }

    private func tap(_ request: Request, _ parameters: PathParameters) throws(Failure) -> Response {
        let snapshot = try snapshot(parameters)
        let version = try parameters.version()
        try request.query.requireUnique()
        try requireJSON(request)
        let document = TapDocument(try request.json())
        let tap = try document.tap(version: version, language: request.acceptedLanguages)
        let answer = TapAnswer(to: tap, in: snapshot)
        taps.count(answer.kind)
        return .json(answer.json)
    }

    private func requireJSONAccepted(_ request: Request) throws(Failure) {
        guard Accept(request.fields).best(of: ["application/json"]) == nil else { return }
        throw Failure(.notAcceptable, "There is only JSON here. Ask for application/json.")
    }

    private func requireJSON(_ request: Request) throws(Failure) {
        try requireJSONAccepted(request)
        guard let type = try request.mediaType, type != "application/json" else { return }
        throw Failure(.unsupportedMediaType, "\(quoted(type)) is not understood here. Send the field Content-Type: application/json.")
    }

    private func snapshot(_ parameters: PathParameters) throws(Failure) -> AppSnapshot {
        guard let app = AppID(parameters["app"]), let snapshot = try apps.snapshot(of: app) else {
            throw .unknownApp(named: parameters["app"])
        }
        return snapshot
    }

    private func snapshot(_ parameters: PathParameters, for client: Client) throws(Failure) -> AppSnapshot {
        guard let app = AppID(parameters["app"]),
            let snapshot = try apps.snapshot(of: app, effectiveFor: client.build.version, client.audience)
        else { throw .unknownApp(named: parameters["app"]) }
        return snapshot
    }
}

extension Continuity {
    fileprivate var location: String {
        "/v1/apps/\(app)/versions/\(version)/continuity" + (audience == .default ? "" : "?audience=\(audience)")
    }
}
