/// One method of one path.
package struct Route: Sendable {
    /// Where a handler runs: on the event loop, which it must never hold up, or on a worker, where it may block. A writer is a
    /// worker for what may wait long for the store, so that who only reads never waits behind it.
    package enum Place: Sendable { case onLoop, onWorker, onWriter }

    package typealias Function = @Sendable (Request, PathParameters) -> Response
    package typealias Admission = @Sendable (Request, PathParameters) -> Response?

    package let method: Method
    /// Segments separated by slashes; `{name}` stands for any segment that is not empty.
    package let path: String
    package let name: String
    /// The largest body, in bytes.
    package let bodyLimit: Int
    package let runs: Place
    package let admission: Admission?
    package let handler: Function

    /// `admission` is given a request whose body is large, too large or only sent when asked for, and has not been read: what it
    /// answers is the end of the connection, and nil has the body read.
    package init(
        _ method: Method, _ path: String, name: String, bodyLimit: Int = 1 << 20, runs: Place = .onWorker,
        admission: Admission? = nil, handler: @escaping Function
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.bodyLimit = bodyLimit
        self.runs = runs
        self.admission = admission
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

    /// What a path stands for that is known to follow the pattern of a route.
    package init(_ path: [String], along pattern: String) {
        let segments = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let pairs = zip(segments, path).filter { RouteTree.isParameter($0.0) }
        self.init(names: pairs.map { String($0.0.dropFirst().dropLast()) }, values: pairs.map(\.1))
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
