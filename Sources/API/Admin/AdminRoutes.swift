import HTTP
import QuickActions
import Shortcuts

/// The admin plane: every request is identified, allowed, read, done and answered, in this order.
package struct AdminRoutes: Sendable {
    let stores: Stores
    let taps: any TapCounter
    let authority: Authority
    let endpointRules: EndpointRules
    let clock: any WallClock
    let identifiers: Identifiers

    package init(
        stores: Stores, taps: any TapCounter, authority: Authority, endpointRules: EndpointRules, clock: any WallClock,
        identifiers: Identifiers
    ) {
        self.stores = stores
        self.taps = taps
        self.authority = authority
        self.endpointRules = endpointRules
        self.clock = clock
        self.identifiers = identifiers
    }

    package var routes: [Route] {
        [
            appRoutes, releaseRoutes, staticItemRoutes, setRoutes, draftRoutes, revisionRoutes, tapRoutes, updateGapRoutes,
            archiveRoutes, tokenRoutes, webhookRoutes, deliveryRoutes, auditRoutes,
        ].flatMap { $0 }
    }
}

/// What the admin plane stores in; one object of the storage is all of them.
package typealias Stores = AppStore & ReleaseStore & SetStore & DraftStore & ArchiveStore & TapStore & TokenStore & EndpointStore
    & DeliveryStore & AuditStore

extension AdminRoutes {
    /// What a route asks of the app in its path.
    enum AppRequirement {
        /// There is no app in the path.
        case none
        /// It may be new.
        case named
        case existing
    }

    typealias Handler = @Sendable (AdminCall) throws(Failure) -> Response

    /// - Parameters:
    ///   - name: the operation's id in openapi.yaml.
    ///   - query: the parameters that are known; others are refused.
    func route(
        _ name: String, _ method: Method, _ path: String, _ role: Role, app: AppRequirement = .existing,
        query: Set<String> = [], bodyLimit: Int = 1 << 20, _ handler: @escaping Handler
    ) -> Route {
        @Sendable func admitted(
            _ request: Request, _ parameters: PathParameters, _ subject: inout Refusal.Subject
        ) throws(Failure) -> AdminCall {
            let call = try admit(request, parameters, role, app, &subject)
            try checkQuery(of: request, known: query)
            // Part of a document would be stored as if it were all of it (RFC 9110 section 14.5).
            guard method != .put || !request.fields.contains("Content-Range") else {
                throw Failure(.badRequest, "A part of a document cannot be put. Send all of it, without the field Content-Range.")
            }
            return call
        }
        return Route(
            method, "/admin/v1" + path, name: name, bodyLimit: bodyLimit, runs: method == .get ? .onWorker : .onWriter,
            precheck: { request, parameters in
                var subject = subject(of: request, parameters)
                do throws(Failure) {
                    _ = try admitted(request, parameters, &subject)
                    return nil
                } catch {
                    return Problem(failure: error, request: request.id, subject: subject).response()
                }
            },
            handler: { request, parameters in
                answering(request, about: subject(of: request, parameters)) { subject throws(Failure) in
                    try handler(try admitted(request, parameters, &subject))
                }
            })
    }

    private func subject(of request: Request, _ parameters: PathParameters) -> Refusal.Subject {
        var subject = Refusal.Subject(app: AppID(parameters["app"])?.description, address: request.peerAddress)
        subject.hasCredentials = request.fields.contains("Authorization")
        return subject
    }

    private func admit(
        _ request: Request, _ parameters: PathParameters, _ role: Role, _ requirement: AppRequirement,
        _ subject: inout Refusal.Subject
    ) throws(Failure) -> AdminCall {
        let identity = try authority.identify(request, &subject)
        guard identity.role >= role else {
            throw Failure(
                .forbidden, "This needs the role \(role.rawValue); the token \(quoted(identity.name)) has \(identity.role.rawValue).")
        }
        let author = Author(token: identity.name, address: request.peerAddress, request: request.id, at: clock.now())
        let app = try admitApp(parameters, identity, requirement)
        return AdminCall(request: request, parameters: parameters, identity: identity, appID: app, author: author)
    }

    private func admitApp(
        _ parameters: PathParameters, _ identity: Identity, _ requirement: AppRequirement
    ) throws(Failure) -> AppID? {
        guard requirement != .none else { return nil }
        let text = parameters["app"]
        let app = AppID(text)
        // A scoped token learns nothing about other apps, not even whether they exist.
        guard identity.scope == .all || app.map(identity.scope.contains) ?? false else {
            throw Failure(.forbidden, "The token \(quoted(identity.name)) may not touch the app \(quoted(text)).")
        }
        guard let app else {
            guard requirement == .existing else {
                throw Failure(.invalidParameter, AppID.rule(for: text))
            }
            throw .unknownApp(named: text)
        }
        if requirement == .existing, try stores.app(app) == nil { throw .unknownApp(app) }
        return app
    }

    /// The app of the path as it stands. It may have gone since the request was admitted.
    func app(_ call: AdminCall) throws(Failure) -> App {
        let id = try call.app()
        guard let app = try stores.app(id) else { throw .unknownApp(id) }
        return app
    }

    func snapshot(_ call: AdminCall) throws(Failure) -> AppSnapshot {
        let id = try call.app()
        guard let snapshot = try stores.snapshot(of: id) else { throw .unknownApp(id) }
        return snapshot
    }

    private func checkQuery(of request: Request, known: Set<String>) throws(Failure) {
        try request.query.requireUnique()
        guard let unknown = request.query.items.first(where: { !known.contains($0.name) }) else { return }
        let choices = known.isEmpty ? "None is known here" : "Known here: \(known.sorted().joined(separator: ", "))"
        throw Failure(.invalidParameter, "The query parameter \(quoted(unknown.name)) is not known. \(choices).")
    }
}
