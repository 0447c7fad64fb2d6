/// Finds the route of a request by its method and decoded segments.
///
/// GET routes answer HEAD too. OPTIONS is answered with 204 and `Allow`. What finds no route is answered by the closure
/// given, so that it looks like every other failure of the service; `Allow` is added here.
package struct Router: Handler {
    package typealias FailureAnswer = @Sendable (RoutingFailure, Request) -> Response

    package let routes: [Route]
    private let parameterNames: [[String]]
    private let tree: RouteTree
    private let methods: Set<Method>
    private let failure: FailureAnswer

    package init(_ routes: [Route], failure: @escaping FailureAnswer) {
        var tree = RouteTree()
        var parameterNames: [[String]] = []
        for (index, route) in routes.enumerated() {
            let segments = route.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            tree.insert(route.path == "/" ? [] : Array(segments), method: route.method, route: index)
            parameterNames.append(segments.filter(RouteTree.isParameter).map { String($0.dropFirst().dropLast()) })
        }
        self.routes = routes
        self.parameterNames = parameterNames
        self.tree = tree
        self.failure = failure
        methods = Set(routes.map(\.method)).union([.options]).union(routes.contains { $0.method == .get } ? [.head] : [])
    }

    /// Known even where no route has them, so that they are 404 or 405 and not 501.
    private static let knownToAll: Set<Method> = [.post, .put, .patch, .delete, .trace, .query]

    package func route(_ request: Request) -> RouteDecision {
        guard methods.contains(request.method) || Self.knownToAll.contains(request.method) else { return failing(.notImplemented) }
        if request.method == .options, request.rawPath == "*" { return allowing(methods) }
        var decision: RouteDecision?
        var allowed: Set<Method> = []
        tree.walk(request.path) { candidates, values in
            allowed.formUnion(candidates.map(\.method))
            guard let match = Self.match(request.method, candidates) else { return false }
            decision = decide(routes[match], PathParameters(names: parameterNames[match], values: values))
            return true
        }
        if let decision { return decision }
        guard !allowed.isEmpty else { return failing(.notFound) }
        allowed.insert(.options)
        if allowed.contains(.get) { allowed.insert(.head) }
        return request.method == .options ? allowing(allowed) : failing(.methodNotAllowed(allow: Self.sorted(allowed)))
    }

    private static func match(_ method: Method, _ candidates: [(method: Method, route: Int)]) -> Int? {
        let exact = candidates.first { $0.method == method }
        return (exact ?? candidates.first { method == .head && $0.method == .get })?.route
    }

    private func decide(_ route: Route, _ parameters: PathParameters) -> RouteDecision {
        let admission = route.admission.map { admission in { @Sendable request in admission(request, parameters) } }
        return RouteDecision(name: route.name, body: .upTo(route.bodyLimit), runs: route.runs, admission: admission) { request in
            route.handler(request, parameters)
        }
    }

    private func failing(_ reason: RoutingFailure) -> RouteDecision {
        RouteDecision(name: nil, body: .ignored, runs: .onLoop) { [failure] request in
            var response = failure(reason, request)
            if case .methodNotAllowed(let allow) = reason { response.fields.set("Allow", Self.list(allow)) }
            return response
        }
    }

    private func allowing(_ methods: Set<Method>) -> RouteDecision {
        RouteDecision(name: nil, body: .ignored, runs: .onLoop) { _ in
            Response(.noContent, fields: ["Allow": Self.list(Self.sorted(methods))])
        }
    }

    private static func sorted(_ methods: Set<Method>) -> [Method] {
        methods.sorted { $0.rawValue < $1.rawValue }
    }

    private static func list(_ methods: [Method]) -> String {
        methods.map(\.rawValue).joined(separator: ", ")
    }
}
