/// Answers requests. The server asks it in this order; all but a decision's `respond` run on an event loop.
package protocol Handler: Sendable {
    /// The answer that is there already, or nil to go the long way.
    ///
    /// Asked before a `Request` is made, for GET and HEAD without a body only, and never where one of the fields that
    /// `RequestHead` names came twice or there is an `If-Match`. It must not allocate, block or hold a lock across a call.
    func answerFromMemory(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedAnswer?

    /// What is to become of the request; asked once its head is read, with an empty body.
    func route(_ request: Request) -> RouteDecision
}

extension Handler {
    package func answerFromMemory(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedAnswer? { nil }

    /// The answer to a request that no connection brought: the in-process door.
    package func respond(to request: Request) -> Response {
        route(request).respond(request)
    }
}

/// What is to become of a request.
package struct RouteDecision: Sendable {
    package enum Body: Sendable {
        /// Answered at once. The connection is closed after it where a body is still to come.
        case ignored
        /// Read whole first, up to so many bytes.
        case upTo(Int)
    }

    /// The route's name, for metrics.
    package let name: String?
    package let body: Body
    package let runs: Route.Place
    package let respond: @Sendable (Request) -> Response
    /// Asked on a worker before a body is waited for; see `Route`.
    package let admission: (@Sendable (Request) -> Response?)?

    package init(
        name: String?, body: Body, runs: Route.Place, admission: (@Sendable (Request) -> Response?)? = nil,
        respond: @escaping @Sendable (Request) -> Response
    ) {
        self.name = name
        self.body = body
        self.runs = runs
        self.admission = admission
        self.respond = respond
    }
}
