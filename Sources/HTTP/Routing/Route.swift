/// One method of one path.
package struct Route: Sendable {
    /// Where a handler runs: on the event loop, which it must never hold up, or on a worker, where it may block. A writer is a
    /// worker for what may wait long for the store, so that who only reads never waits behind it.
    package enum Place: Sendable { case onLoop, onWorker, onWriter }

    package typealias Function = @Sendable (Request, PathParameters) -> Response

    package let method: Method
    /// Segments separated by slashes; `{name}` stands for any segment that is not empty.
    package let path: String
    package let name: String
    /// The largest body, in bytes.
    package let bodyLimit: Int
    package let runs: Place
    package let oversize: Function?
    package let handler: Function

    /// `oversize` answers, instead of the server's own 413, where a body is above the limit. It is given no body, and the
    /// connection is closed after it.
    package init(
        _ method: Method, _ path: String, name: String, bodyLimit: Int = 1 << 20, runs: Place = .onWorker,
        oversize: Function? = nil, handler: @escaping Function
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.bodyLimit = bodyLimit
        self.runs = runs
        self.oversize = oversize
        self.handler = handler
    }
}

/// What the parameters of a route's path stand for in one request, percent-decoded.
package struct PathParameters: Sendable {
    private let names: [String]
    private let values: [String]

    package init(names: [String], values: [String]) {
        self.names = names
        self.values = values
    }

    /// The segment, never empty; empty only where the route's path has no parameter of that name.
    package subscript(_ name: String) -> String {
        guard let index = names.firstIndex(of: name), index < values.count else { return "" }
        return values[index]
    }
}

/// Why no route was found.
package enum RoutingFailure: Equatable, Sendable {
    /// 404
    case notFound
    /// 405; the methods that the path does have, sorted, with HEAD and OPTIONS.
    case methodNotAllowed(allow: [Method])
    /// 501: no route at all has this method (RFC 9110 9.1).
    case notImplemented
}
