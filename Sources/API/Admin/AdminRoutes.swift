import HTTP
import QuickActions
import Shortcuts

/// The routes of the admin plane. Each request is authenticated, authorized, decoded, executed and answered, in this order.
package struct AdminRoutes: Sendable {
    let stores: any AdminStore
    let taps: any TapCounter
    let authenticator: Authenticator
    let endpointRules: EndpointRules
    let clock: any WallClock
    let generator: IDGenerator
    let streaming: AdminStreaming
    let program: ProgramDescription
    let signInLimit = SignInLimit()
    private let budget: AdminBudget
    private let tokenWrites: Int
    private let writes: RateLimit

    /// - Parameter tokenWrites: how often each stored token may write in a second; 0 for no limit.
    package init(
        stores: any AdminStore, taps: any TapCounter, authenticator: Authenticator, endpointRules: EndpointRules, clock: any WallClock,
        generator: IDGenerator, streaming: AdminStreaming, program: ProgramDescription, budget: AdminBudget, tokenWrites: Int
    ) {
        self.stores = stores
        self.taps = taps
        self.authenticator = authenticator
        self.endpointRules = endpointRules
        self.clock = clock
        self.generator = generator
        self.streaming = streaming
        self.program = program
        self.budget = budget
        self.tokenWrites = tokenWrites
        writes = RateLimit(tokenWrites, within: .seconds(1))
    }

    package var routes: [Route] {
        [
            appRoutes, releaseRoutes, staticItemRoutes, setRoutes, draftRoutes, draftEditRoutes, approvalRoutes, scheduleRoutes,
            revisionRoutes, tapRoutes, previewRoutes, updateGapRoutes, applyRoutes, archiveRoutes, tokenRoutes, sessionRoutes,
            webhookRoutes, deliveryRoutes, auditRoutes, searchRoutes, nodeRoutes, aboutRoutes, streamRoutes,
        ].flatMap { $0 }
    }
}

extension AdminRoutes {
    /// What a route requires of the app in its path.
    enum AppRequirement {
        /// The path has no app.
        case none
        /// A valid id; the app may not exist yet.
        case named
        case existing
    }

    typealias Handler = @Sendable (AdminCall) throws(Failure) -> Response

    /// A route under `/admin/v1`.
    /// - Parameters:
    ///   - name: the operation's id in openapi.yaml.
    ///   - role: the least role of the token.
    ///   - query: the known parameters; others are rejected.
    ///   - repeatable: the parameters that may occur several times.
    ///   - memory: the bytes of `AdminBudget` that a request needs. Nil means the memory of a page for a list, and 0 for other routes.
    ///   - place: where the route runs. Nil means a worker for GET, and a writer for other methods.
    func route(
        _ name: String, _ method: Method, _ path: String, _ role: Role, app: AppRequirement = .existing,
        query: Set<String> = [], repeatable: Set<String> = [], bodyLimit: Int = 1 << 20,
        memory: (@Sendable (AdminCall) -> Int)? = nil, runs place: Route.Place? = nil, _ handler: @escaping Handler
    ) -> Route {
        @Sendable func bytes(of call: AdminCall) throws(Failure) -> Int? {
            guard query.contains("limit") else { return memory?(call) }
            return try call.page().memory
        }
        @Sendable func checked(
            _ request: Request, _ parameters: PathParameters, _ subject: inout Refusal.Subject
        ) throws(Failure) -> AdminCall {
            let call = try authorize(request, parameters, role, app, &subject)
            try request.query.requireUnique(except: repeatable)
            try request.query.requireKnown(query)
            // A precondition that cannot be read was meant to prevent a write, so the write is rejected.
            if !method.isSafe { try request.requireReadablePreconditions() }
            // A partial PUT would replace the whole document (RFC 9110 section 14.5).
            guard method != .put || !request.fields.contains("Content-Range") else {
                throw Failure(.badRequest, "PUT requires the whole document. Send it without the field Content-Range.")
            }
            return call
        }
        return Route(
            method, "/admin/v1" + path, name: name, bodyLimit: bodyLimit, runs: place ?? (method == .get ? .onWorker : .onWriter),
            precheck: { request, parameters in
                var subject = subject(of: request, parameters)
                do throws(Failure) {
                    _ = try checked(request, parameters, &subject)
                    return nil
                } catch {
                    return Problem(failure: error, request: request.id, subject: subject).response()
                }
            },
            authenticates: true,
            handler: { request, parameters in
                answering(request, about: subject(of: request, parameters)) { subject throws(Failure) in
                    let call = try checked(request, parameters, &subject)
                    if !method.isSafe { try admitWrite(of: call.identity) }
                    guard let bytes = try bytes(of: call) else { return try handler(call) }
                    let claim = AdminBudget.Claim(bytes: bytes, dryRunOf: call.isDryRun ? call.identity : nil)
                    return try budgeted(claim, call, subject, handler) { subject throws(Failure) in
                        try checked(request, parameters, &subject)
                    }
                }
            })
    }

    /// Runs the handler with its part of the budget, or delays the response until there is room.
    /// - Parameter check: authorizes the request again after it has waited.
    private func budgeted(
        _ claim: AdminBudget.Claim, _ call: AdminCall, _ subject: Refusal.Subject, _ handler: @escaping Handler,
        check: @escaping @Sendable (inout Refusal.Subject) throws(Failure) -> AdminCall
    ) throws(Failure) -> Response {
        @Sendable func run(_ call: AdminCall, _ reservation: AdminBudget.Reservation) throws(Failure) -> Response {
            var response = try handler(call)
            reservation.resize(to: response.body.count)
            response.reservation = reservation
            return response
        }
        if let reservation = try budget.reserve(claim) { return try run(call, reservation) }
        let request = call.request
        var response = Response(.serviceUnavailable)
        response.delayed = { resume in
            budget.wait(for: claim) { result in
                resume {
                    answering(request, about: subject) { subject throws(Failure) in
                        let reservation = try result.get()
                        return try run(try check(&subject), reservation)
                    }
                }
            }
        }
        return response
    }

    private func admitWrite(of identity: Identity) throws(Failure) {
        guard tokenWrites > 0, !identity.isConfigured else { return }
        try writes.admit(
            identity.id.description, at: clock.now(),
            "\(identity.title) has made \(tokenWrites) writes within a second, the limit of --token-writes.")
    }

    private func subject(of request: Request, _ parameters: PathParameters) -> Refusal.Subject {
        var subject = Refusal.Subject(app: AppID(parameters["app"])?.description, address: request.sender.address)
        subject.hasCredentials = request.fields.contains("Authorization") || request.sessionSecret != nil
        return subject
    }

    private func authorize(
        _ request: Request, _ parameters: PathParameters, _ role: Role, _ requirement: AppRequirement,
        _ subject: inout Refusal.Subject
    ) throws(Failure) -> AdminCall {
        let identity = try authenticator.authenticate(request, &subject)
        // The browser sends the cookie whichever page makes the request.
        if identity.session != nil, !request.method.isSafe { try request.requireSameOrigin() }
        guard identity.role >= role else {
            throw Failure(
                .forbidden, "This requires the role \(role.rawValue); \(identity.noun) has \(identity.role.rawValue).")
        }
        let author = identity.author(of: request, at: clock.now())
        let (id, app) = try authorizeApp(parameters, identity, requirement)
        return AdminCall(request: request, parameters: parameters, identity: identity, appID: id, existingApp: app, author: author)
    }

    /// - Returns: the app of the path; only its id if the app need not exist.
    private func authorizeApp(
        _ parameters: PathParameters, _ identity: Identity, _ requirement: AppRequirement
    ) throws(Failure) -> (id: AppID?, app: App?) {
        guard requirement != .none else { return (nil, nil) }
        let text = parameters["app"]
        let app = AppID(text)
        // A token for some apps must not learn whether other apps exist.
        guard identity.scope == .all || app.map(identity.scope.contains) ?? false else {
            throw .outOfReach(text, of: identity)
        }
        guard let app else {
            guard requirement == .existing else {
                throw Failure(.invalidParameter, AppID.rule(for: text))
            }
            throw .unknownApp(named: text)
        }
        guard requirement == .existing else { return (app, nil) }
        guard let existing = try stores.app(app) else { throw .unknownApp(app) }
        return (app, existing)
    }

    /// The app of the path, as it was when the request was authorized.
    func app(_ call: AdminCall) throws(Failure) -> App {
        if let app = call.existingApp { return app }
        let id = try call.app()
        guard let app = try stores.app(id) else { throw .unknownApp(id) }
        return app
    }

    func snapshot(_ call: AdminCall) throws(Failure) -> AppSnapshot {
        let id = try call.app()
        guard let snapshot = try stores.snapshot(of: id) else { throw .unknownApp(id) }
        return snapshot
    }

}

extension Failure {
    /// The same answer for existing and unknown apps: a token for some apps must not learn whether other apps exist.
    static func outOfReach(_ app: String, of identity: Identity) -> Failure {
        Failure(.forbidden, "\(identity.title) has no access to the app \(quoted(app)).")
    }
}
