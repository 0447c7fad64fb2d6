/// Finds the route of a request by its method and decoded path segments.
///
/// GET routes also answer HEAD. OPTIONS gets 204 with `Allow`. `failure` answers requests without a route; the router adds `Allow` to its
/// 405.
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

    /// Methods that are answered with 404 or 405 instead of 501 even if no route has them.
    private static let standardMethods: Set<Method> = [.post, .put, .patch, .delete, .trace, .query]

    package func route(_ request: Request) -> RouteDecision {
        guard methods.contains(request.method) || Self.standardMethods.contains(request.method) else {
            return failureDecision(.notImplemented)
        }
        if request.method == .options, request.rawPath == "*" { return optionsDecision(methods) }
        var decision: RouteDecision?
        var allowed: Set<Method> = []
        tree.walk(request.path) { candidates, values in
            allowed.formUnion(candidates.map(\.method))
            guard let match = Self.match(request.method, candidates) else { return false }
            decision = routeDecision(routes[match], PathParameters(names: parameterNames[match], values: values))
            return true
        }
        if let decision { return decision }
        guard !allowed.isEmpty else { return failureDecision(.notFound) }
        allowed.insert(.options)
        if allowed.contains(.get) { allowed.insert(.head) }
        return request.method == .options ? optionsDecision(allowed) : failureDecision(.methodNotAllowed(allow: Self.sorted(allowed)))
    }

    private static func match(_ method: Method, _ candidates: [(method: Method, route: Int)]) -> Int? {
        let exact = candidates.first { $0.method == method }
        return (exact ?? candidates.first { method == .head && $0.method == .get })?.route
    }

    private func routeDecision(_ route: Route, _ parameters: PathParameters) -> RouteDecision {
        RouteDecision(name: route.name, body: .upTo(route.bodyLimit), runs: route.runs, checks: route.checks) { request in
            route.admit(request, parameters)
        }
    }

    private func failureDecision(_ reason: RoutingFailure) -> RouteDecision {
        RouteDecision(name: nil, body: .ignored, runs: .onLoop) { [failure] request in
            var response = failure(reason, request)
            if case .methodNotAllowed(let allow) = reason { response.fields.set("Allow", Self.list(allow)) }
            return response
        }
    }

    private func optionsDecision(_ methods: Set<Method>) -> RouteDecision {
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

/// A tree of routes by path segment. A literal segment is tried before a parameter.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        var routes: [(method: Method, route: Int)] = []
    }

    private var nodes = [Node()]

    static func isParameter(_ segment: Substring) -> Bool { segment.hasPrefix("{") && segment.hasSuffix("}") }

    mutating func insert(_ segments: [Substring], method: Method, route: Int) {
        var node = 0
        for segment in segments {
            let isParameter = Self.isParameter(segment)
            let known = isParameter ? nodes[node].parameter : nodes[node].literals[String(segment)]
            if let known {
                node = known
                continue
            }
            nodes.append(Node())
            if isParameter {
                nodes[node].parameter = nodes.count - 1
            } else {
                nodes[node].literals[String(segment)] = nodes.count - 1
            }
            node = nodes.count - 1
        }
        nodes[node].routes.append((method, route))
    }

    /// Calls `visit` for each node that matches the path, with its routes and the values of its parameters, the best match first, until it
    /// returns true.
    func walk(_ path: [String], _ visit: ([(method: Method, route: Int)], [String]) -> Bool) {
        _ = walk(path, 0, from: 0, values: [], visit)
    }

    private func walk(
        _ path: [String], _ depth: Int, from index: Int, values: [String],
        _ visit: ([(method: Method, route: Int)], [String]) -> Bool
    ) -> Bool {
        let node = nodes[index]
        guard depth < path.count else { return !node.routes.isEmpty && visit(node.routes, values) }
        if let next = node.literals[path[depth]], walk(path, depth + 1, from: next, values: values, visit) { return true }
        guard let next = node.parameter, !path[depth].isEmpty else { return false }
        return walk(path, depth + 1, from: next, values: values + [path[depth]], visit)
    }
}
