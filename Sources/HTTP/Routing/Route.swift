/// One method of one path.
package struct Route: Sendable {
    /// Where a handler runs: on the event loop, where it must not block, or on a thread of a pool. Handlers that wait for the store's
    /// writer have their own pool, so that reads do not queue behind writes. Handlers that open streams have their own pool, because all
    /// clients of streams reconnect after a restart.
    package enum Place: Sendable { case onLoop, onWorker, onWriter, onOpener }

    /// What a route checks before the body of a request is read.
    package enum Checks: Sendable {
        case none, head
        /// The sender, too. The body then counts as an authenticated sender's.
        case sender
    }

    package typealias Function = @Sendable (Request, PathParameters) -> Response

    package let method: Method
    /// Segments separated by slashes; `{name}` matches any segment that is not empty.
    package let path: String
    package let name: String
    /// The largest body, in bytes.
    package let bodyLimit: Int
    package let runs: Place
    package let checks: Checks
    package private(set) var admit: @Sendable (Request, PathParameters) -> Admission

    /// - Parameter admit: runs once. If the body is large, too large, or awaited with `Expect: 100-continue`, it runs on a worker before the
    ///   body is read, and gets the request without its body. A refusal is then sent and the connection is closed.
    package init(
        _ method: Method, _ path: String, name: String, bodyLimit: Int = 1 << 20, runs: Place = .onWorker, checks: Checks,
        admit: @escaping @Sendable (Request, PathParameters) -> Admission
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.bodyLimit = bodyLimit
        self.runs = runs
        self.checks = checks
        self.admit = admit
    }

    /// A route without checks.
    package init(
        _ method: Method, _ path: String, name: String, bodyLimit: Int = 1 << 20, runs: Place = .onWorker, handler: @escaping Function
    ) {
        self.init(method, path, name: name, bodyLimit: bodyLimit, runs: runs, checks: .none) { _, parameters in
            .admitted { handler($0, parameters) }
        }
    }

    /// The same route behind a check that comes before its own. It does not delay a body.
    /// - Parameter refusal: nil for an allowed request.
    package func behind(_ refusal: @escaping @Sendable (Request) -> Response?) -> Route {
        var route = self
        route.admit = { request, parameters in refusal(request).map(Admission.refused) ?? admit(request, parameters) }
        return route
    }
}

/// The values of a route's path parameters in one request, percent-decoded.
package struct PathParameters: Sendable {
    private let names: [String]
    private let values: [String]

    package init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    /// The value of the parameter. Empty only if the route's path has no such parameter.
    package subscript(_ name: String) -> String {
        guard let index = names.firstIndex(of: name), index < values.count else { return "" }
        return values[index]
    }
}

/// Why no route was found.
package enum RoutingFailure: Equatable, Sendable {
    /// 404
    case notFound
    /// 405, with the methods of the path, sorted, including HEAD and OPTIONS.
    case methodNotAllowed(allow: [Method])
    /// 501: no route at all has this method (RFC 9110 9.1).
    case notImplemented
}
