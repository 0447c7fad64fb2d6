import HTTP
import QuickActions
import Shortcuts

/// The routes of the admin plane. Each request is authenticated, checked, limited, decoded, executed and answered, in this order.
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
            appRoutes, releaseRoutes, staticItemRoutes, setRoutes, rolloutRoutes, draftRoutes, draftEditRoutes, approvalRoutes,
            scheduleRoutes,
            revisionRoutes, tapRoutes, previewRoutes, previewLinkRoutes, updateGapRoutes, applyRoutes, archiveRoutes, tokenRoutes,
            sessionRoutes,
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

    /// One operation of openapi.yaml, and what it requires.
    struct Operation: Sendable {
        let method: Method
        /// The least role of the sender.
        let role: Role
        let app: AppRequirement
        /// The known parameters; others are rejected.
        let query: Set<String>
        /// The parameters that may occur several times.
        let repeatable: Set<String>
        let memory: (@Sendable (AdminCall) -> Int)?
        let handler: Handler

        /// The bytes of `AdminBudget` that a request needs; nil for none.
        func memory(for call: AdminCall) throws(Failure) -> Int? {
            guard query.contains("limit") else { return memory?(call) }
            return try call.page().memory
        }
    }

    /// A route under `/admin/v1`.
    /// - Parameters:
    ///   - name: the operation's id in openapi.yaml.
    ///   - memory: the bytes of `AdminBudget` that a request needs. Nil means the memory of a page for a list, and 0 for other routes.
    ///   - place: where the route runs. Nil means a worker for GET, and a writer for other methods.
    func route(
        _ name: String, _ method: Method, _ path: String, _ role: Role, app: AppRequirement = .existing,
        query: Set<String> = [], repeatable: Set<String> = [], bodyLimit: Int = 1 << 20,
        memory: (@Sendable (AdminCall) -> Int)? = nil, runs place: Route.Place? = nil, _ handler: @escaping Handler
    ) -> Route {
        let operation = Operation(
            method: method, role: role, app: app, query: query, repeatable: repeatable, memory: memory, handler: handler)
        return Route(
            method, "/admin/v1" + path, name: name, bodyLimit: bodyLimit, runs: place ?? (method == .get ? .onWorker : .onWriter),
            checks: .sender
        ) { request, parameters in admit(request, parameters, to: operation) }
    }

    // MARK: - What every request passes

    private typealias Check = @Sendable (inout AdminCall) throws(Failure) -> Void
    private typealias Limit = @Sendable (AdminCall, _ next: @escaping Handler) throws(Failure) -> Response

    /// The checks of an authenticated request, in order. They need only its head.
    private var checks: [Check] { [requireSameOrigin, requireRole, requireApp, requireParameters, requireReadableHead] }

    /// The limits of a request with its body, from the outermost to the innermost, which runs the handler.
    private var limits: [Limit] { [limitWrites, reserveMemory] }

    /// Authenticates and checks a request by its head. This happens once: the call continues with the body.
    private func admit(_ request: Request, _ parameters: PathParameters, to operation: Operation) -> Admission {
        admitting(request, about: subject(of: request, parameters)) { subject throws(Failure) in
            let identity = try authenticator.authenticate(request, &subject)
            var call = AdminCall(
                request: request, parameters: parameters, operation: operation, identity: identity, subject: subject, time: clock.now())
            for check in checks { try check(&call) }
            return { [call] request in
                let call = call.received(request, at: clock.now())
                return answering(request, about: call.subject) { _ throws(Failure) in try run(call) }
            }
        }
    }

    private func run(_ call: AdminCall) throws(Failure) -> Response {
        var next = call.operation.handler
        for limit in limits.reversed() {
            next = { [next] call throws(Failure) in try limit(call, next) }
        }
        return try next(call)
    }

    private func subject(of request: Request, _ parameters: PathParameters) -> Refusal.Subject {
        var subject = Refusal.Subject(app: AppID(parameters["app"])?.description, address: request.sender.address)
        subject.hasCredentials = request.fields.contains("Authorization") || request.sessionSecret != nil
        return subject
    }

    // MARK: Checks

    /// The browser sends the session's cookie whichever page makes the request.
    private func requireSameOrigin(_ call: inout AdminCall) throws(Failure) {
        if call.identity.session != nil, !call.request.method.isSafe { try call.request.requireSameOrigin() }
    }

    private func requireRole(_ call: inout AdminCall) throws(Failure) {
        let (identity, role) = (call.identity, call.operation.role)
        guard identity.role >= role else {
            throw Failure(
                .forbidden, "This requires the role \(role.rawValue); \(identity.noun) has \(identity.role.rawValue).")
        }
    }

    private func requireApp(_ call: inout AdminCall) throws(Failure) {
        let requirement = call.operation.app
        guard requirement != .none else { return }
        let text = call.parameters["app"]
        let app = AppID(text)
        // A token for some apps must not learn whether other apps exist.
        guard call.identity.scope == .all || app.map(call.identity.scope.contains) ?? false else {
            throw .outOfReach(text, of: call.identity)
        }
        guard let app else {
            guard requirement == .existing else {
                throw Failure(.invalidParameter, AppID.rule(for: text))
            }
            throw .unknownApp(named: text)
        }
        guard requirement == .existing else { return }
        guard let existing = try stores.app(app) else { throw .unknownApp(app) }
        call.existingApp = existing
    }

    private func requireParameters(_ call: inout AdminCall) throws(Failure) {
        try call.request.query.requireUnique(except: call.operation.repeatable)
        try call.request.query.requireKnown(call.operation.query)
    }

    private func requireReadableHead(_ call: inout AdminCall) throws(Failure) {
        // A precondition that cannot be read was meant to prevent a write, so the write is rejected.
        if !call.operation.method.isSafe { try call.request.requireReadablePreconditions() }
        // A partial PUT would replace the whole document (RFC 9110 section 14.5).
        guard call.operation.method != .put || !call.request.fields.contains("Content-Range") else {
            throw Failure(.badRequest, "PUT requires the whole document. Send it without the field Content-Range.")
        }
    }

    // MARK: Limits

    private func limitWrites(_ call: AdminCall, _ next: @escaping Handler) throws(Failure) -> Response {
        let identity = call.identity
        if !call.operation.method.isSafe, tokenWrites > 0, !identity.isConfigured {
            try writes.admit(
                identity.id.description, at: call.time,
                "\(identity.title) has made \(tokenWrites) writes within a second, the limit of --token-writes.")
        }
        return try next(call)
    }

    /// Runs the handler with its part of the budget, or delays the response until there is room.
    private func reserveMemory(_ call: AdminCall, _ next: @escaping Handler) throws(Failure) -> Response {
        @Sendable func run(_ reservation: AdminBudget.Reservation) throws(Failure) -> Response {
            var answerSize = 0
            defer { reservation.finish(keeping: answerSize) }
            var response = try next(call)
            answerSize = response.body.count
            response.reservation = reservation
            return response
        }
        guard let bytes = try call.operation.memory(for: call) else { return try next(call) }
        let claim = AdminBudget.Claim(bytes: bytes, dryRunOf: call.isDryRun ? call.identity : nil)
        if let reservation = try budget.reserve(claim) { return try run(reservation) }
        var response = Response(.serviceUnavailable)
        response.delayed = { [budget] resume in
            budget.wait(for: claim) { result in
                resume {
                    answering(call.request, about: call.subject) { _ throws(Failure) in try run(try result.get()) }
                }
            }
        }
        return response
    }

    // MARK: - For handlers

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
