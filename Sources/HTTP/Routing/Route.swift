/// One operation: a method and a path with its parameters, and what answers it.
package struct Route: Sendable {
    package enum Place: Sendable {
        /// Never blocks: answered on the event loop itself.
        case onLoop
        case onWorker
    }

    package typealias Handler = @Sendable (Request, PathParameters) -> Response

    package let method: Method
    /// `/v1/apps/{app}/versions/{version}/shortcuts`
    package let path: String
    /// The operation's id in openapi.yaml.
    package let name: String
    /// The largest body in bytes.
    package let bodyLimit: Int
    package let place: Place
    package let handler: Handler
    let segments: [Segment]

    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String)
    }

    package init(
        _ method: Method, _ path: String, name: String, bodyLimit: Int = 1 << 20, runs place: Place,
        handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.bodyLimit = bodyLimit
        self.place = place
        self.handler = handler
        segments = path.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? .parameter(String(segment.dropFirst().dropLast())) : .literal(String(segment))
        }
    }

    func parameters(of path: [String]) -> PathParameters? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .literal(let literal):
                guard literal == text else { return nil }
            case .parameter(let name):
                guard !text.isEmpty else { return nil }
                values[name] = text
            }
        }
        return PathParameters(values: values)
    }
}

/// What stood in a path where its route has names.
package struct PathParameters: Sendable {
    private let values: [String: String]

    init(values: [String: String]) {
        self.values = values
    }

    /// Empty for a name that the route does not have.
    package subscript(name: String) -> String { values[name] ?? "" }
}
