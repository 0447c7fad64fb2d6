/// Finds the route of a request.
package struct Router: Sendable {
    package enum Match: Sendable {
        case route(Route, PathParameters)
        /// 204 with `Allow`.
        case options(allow: String)
        case notFound
        /// 405 with `Allow`.
        case methodNotAllowed(allow: String)
        /// 501: no route has the method.
        case notImplemented
    }

    package let routes: [Route]
    private let knownMethods: Set<Method>

    package init(_ routes: [Route]) {
        self.routes = routes
        knownMethods = Set(routes.map(\.method)).union([.head, .options])
    }

    package func match(_ method: Method, _ path: [String]) -> Match {
        guard knownMethods.contains(method) else { return .notImplemented }
        if method == .options, path.isEmpty { return .options(allow: allow(knownMethods)) }
        let wanted = method == .head ? .get : method
        var others: Set<Method> = []
        for route in routes {
            guard let parameters = route.parameters(of: path) else { continue }
            if route.method == wanted { return .route(route, parameters) }
            others.insert(route.method)
        }
        guard !others.isEmpty else { return .notFound }
        let allowed = others.union(others.contains(.get) ? [.head, .options] : [.options])
        return method == .options ? .options(allow: allow(allowed)) : .methodNotAllowed(allow: allow(allowed))
    }

    private func allow(_ methods: Set<Method>) -> String {
        methods.map(\.description).sorted().joined(separator: ", ")
    }
}
