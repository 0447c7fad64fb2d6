import HTTP
import QuickActions
import Shortcuts

/// The routes for operating the service: the start page, health checks, problem types, metrics and the OpenAPI document.
package struct OperationRoutes: Sendable {
    private let isReady: @Sendable () -> Bool
    private let canWrite: @Sendable () -> Bool
    private let metrics: @Sendable () -> String
    private let openAPI: [UInt8]

    /// - Parameters:
    ///   - isReady: whether the service accepts requests. Called on an event loop, like `canWrite`.
    ///   - canWrite: whether the store accepts writes.
    ///   - metrics: the Prometheus exposition. Called on a worker.
    package init(
        isReady: @escaping @Sendable () -> Bool, canWrite: @escaping @Sendable () -> Bool, metrics: @escaping @Sendable () -> String,
        openAPI: [UInt8]
    ) {
        self.isReady = isReady
        self.canWrite = canWrite
        self.metrics = metrics
        self.openAPI = openAPI
    }

    /// Health checks and explanations of problems, served at every address.
    package var common: [Route] {
        [
            Route(.get, "/healthz", name: "getHealth", runs: .onLoop) { _, _ in
                .document(Array("ok\n".utf8), type: "text/plain; charset=utf-8")
            },
            Route(.get, "/readyz", name: "getReadiness", runs: .onLoop) { request, _ in
                answering(request, about: Refusal.Subject()) { _ throws(Failure) in
                    try requireReadiness(for: request.query)
                    return .document(Array("ready\n".utf8), type: "text/plain; charset=utf-8")
                }
            },
        ] + ProblemRoutes.routes
    }

    /// The answer at `/`: browsers are redirected to the console, other clients get a list of addresses. It lists only what is served at
    /// the same address.
    package static func start(hasClientPlane: Bool, hasAdminPlane: Bool, hasConsole: Bool) -> Route {
        let places: JSON = [
            "service": "Longpress", "console": hasConsole ? "/console/" : nil, "docs": hasAdminPlane ? "/openapi.yaml" : nil,
            "menus": hasClientPlane ? .string(ClientPath.Resource.shortcuts.template) : nil, "health": "/healthz",
        ]
        return Route(.get, "/", name: "getStart", runs: .onLoop) { request, _ in
            guard hasConsole, request.prefersHTML else { return .json(places, fields: ["Vary": "Accept"]) }
            // A relative URL also works behind a proxy that serves Longpress under a path.
            return Response(.found, fields: ["Location": "./console/", "Cache-Control": "no-store", "Vary": "Accept"])
        }
    }

    /// Metrics and documentation, served at the admin plane's address.
    package var others: [Route] {
        [
            Route(.get, "/metrics", name: "getMetrics", runs: .onWorker) { _, _ in
                .document(Array(metrics().utf8), type: "text/plain; version=0.0.4; charset=utf-8")
            },
            Route(.get, "/openapi.yaml", name: "getOpenAPI", runs: .onLoop) { request, _ in
                .document(openAPI, type: request.preferredType("application/yaml", orText: "text/plain; charset=utf-8"))
            },
        ]
    }

    /// Without `plane`, only fetches count. They do not need the store, so a load balancer must not stop them when the store fails.
    private func requireReadiness(for query: Query) throws(Failure) {
        try query.requireUnique()
        try query.requireKnown(["plane"])
        let plane = query["plane"] ?? "client"
        guard ["client", "admin"].contains(plane) else {
            throw Failure(.invalidParameter, "plane: \(quoted(plane)) is neither client nor admin.")
        }
        guard isReady() else { throw Failure(.overloaded, "The service is starting or stopping. Use another instance.") }
        guard plane == "client" || canWrite() else {
            throw Failure(
                .storageUnavailable, "The database does not accept writes at the moment. Menus are still served. The log has the cause.")
        }
    }
}
