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

    package var routes: [Route] {
        [
            Route(.get, "/healthz", name: "getHealth", runs: .onLoop) { _, _ in
                .operational(.ok, "text/plain; charset=utf-8", Array("ok\n".utf8))
            },
            Route(.get, "/readyz", name: "getReadiness", runs: .onLoop) { request, _ in
                isReady()
                    ? .operational(.ok, "text/plain; charset=utf-8", Array("ready\n".utf8))
                    : Problem(
                        failure: Failure(.overloaded, "The service is starting or draining: ask another instance."),
                        request: request.id
                    ).response()
            },
            Route(.get, "/metrics", name: "getMetrics", runs: .onWorker) { _, _ in
                .operational(.ok, "text/plain; version=0.0.4; charset=utf-8", Array(metrics().utf8))
            },
            Route(.get, "/openapi.yaml", name: "getOpenAPI", runs: .onLoop) { _, _ in
                .operational(.ok, "application/yaml", openAPI)
            },
        ]
    }
}

extension Response {
    fileprivate static func operational(_ status: Status, _ type: String, _ body: [UInt8]) -> Response {
        var fields = Fields()
        fields.append("Content-Type", type)
        fields.append("Cache-Control", "no-store")
        return Response(status, fields: fields, body: body)
    }
}
