/// One method of one path.
package struct Route: Sendable {
    /// Where a handler runs: on the event loop, where it must not block, or on a thread of a pool. Handlers that wait for the store's
    /// writer have their own pool, so that reads do not queue behind writes. Handlers that open streams have their own pool, because all
    /// clients of streams reconnect after a restart.
    package enum Place: Sendable { case onLoop, onWorker, onWriter, onOpener }

    package typealias Function = @Sendable (Request, PathParameters) -> Response
    package typealias Precheck = @Sendable (Request, PathParameters) -> Response?

    package let method: Method
    /// Segments separated by slashes; `{name}` matches any segment that is not empty.
    package let path: String
    package let name: String
    /// The largest body, in bytes.
    package let bodyLimit: Int
    package let runs: Place
    package let precheck: Precheck?
    /// Whether the precheck authenticates the sender. The body then counts as an authenticated sender's.
    package let authenticates: Bool
    package let handler: Function

    /// - Parameter precheck: runs on a worker before reading a body that is large, too large, or awaited with `Expect: 100-continue`. It
    ///   gets the request without its body. If it returns a response, the response is sent and the connection is closed. If it returns nil,
    ///   the body is read.
    package init(
        _ method: Method, _ path: String, name: String, bodyLimit: Int = 1 << 20, runs: Place = .onWorker,
        precheck: Precheck? = nil, authenticates: Bool = false, handler: @escaping Function
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.bodyLimit = bodyLimit
        self.runs = runs
        self.precheck = precheck
        self.authenticates = authenticates
        self.handler = handler
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
