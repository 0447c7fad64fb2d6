import HTTP
import QuickActions
import Shortcuts

/// The routes for operating the service: the start, health checks, problem types, metrics, the OpenAPI document.
package struct OperationRoutes: Sendable {
    private let isReady: @Sendable () -> Bool
    private let canWrite: @Sendable () -> Bool
    private let metrics: @Sendable () -> String
    private let openAPI: [UInt8]

    /// - Parameters:
    ///   - isReady: whether fetches are served. Called, like `canWrite`, on an event loop.
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

    /// What a newcomer finds at `/`: browsers get to the console, others are told where things are. It names only what is served at the
    /// same address.
    package static func start(hasClientPlane: Bool, hasAdminPlane: Bool, hasConsole: Bool) -> Route {
        let places: JSON = [
            "service": "Longpress", "console": hasConsole ? "/console/" : nil, "docs": hasAdminPlane ? "/openapi.yaml" : nil,
            "menus": hasClientPlane ? .string(ClientPath.Resource.shortcuts.template) : nil, "health": "/healthz",
        ]
        return Route(.get, "/", name: "getStart", runs: .onLoop) { request, _ in
            guard hasConsole, request.prefersHTML else { return .json(places, fields: ["Vary": "Accept"]) }
            // Relative, so that it is right behind a proxy that puts the service below a path.
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

    /// Without `plane` only fetches count, which do not need the store: a load balancer must not stop them when the store fails.
    private func requireReadiness(for query: Query) throws(Failure) {
        try query.requireUnique()
        try query.requireKnown(["plane"])
        let plane = query["plane"] ?? "client"
        guard ["client", "admin"].contains(plane) else {
            throw Failure(.invalidParameter, "plane: \(quoted(plane)) is neither client nor admin.")
        }
        guard isReady() else { throw Failure(.overloaded, "The service is starting or draining: ask another instance.") }
        guard plane == "client" || canWrite() else {
            throw Failure(.storageUnavailable, "Writes to the store cannot be had at the moment; fetches go on. The log has the reason.")
        }
    }
}
