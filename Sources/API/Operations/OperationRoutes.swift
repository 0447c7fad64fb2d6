import HTTP
import Shortcuts

/// What the person who runs the service and the machines around it ask.
package struct OperationRoutes: Sendable {
    private let isReady: @Sendable () -> Bool
    private let metrics: @Sendable () -> String
    private let openAPI: [UInt8]

    package init(
        isReady: @escaping @Sendable () -> Bool, metrics: @escaping @Sendable () -> String, openAPI: [UInt8]
    ) {
        self.isReady = isReady
        self.metrics = metrics
        self.openAPI = openAPI
    }

    /// What load balancers ask, at every address.
    package var health: [Route] {
        [
            Route(.get, "/healthz", name: "getHealth", runs: .onLoop) { _, _ in
                .document(Array("ok\n".utf8), type: "text/plain; charset=utf-8")
            },
            Route(.get, "/readyz", name: "getReadiness", runs: .onLoop) { request, _ in
                isReady()
                    ? .document(Array("ready\n".utf8), type: "text/plain; charset=utf-8")
                    : Problem(
                        failure: Failure(.overloaded, "The service is starting or draining: ask another instance."),
                        request: request.id
                    ).response()
            },
        ]
    }

    /// What is for the operator and those who write clients.
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
}
