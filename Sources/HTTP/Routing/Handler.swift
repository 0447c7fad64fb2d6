/// Answers that are there already, as one event loop finds them.
package protocol AnswerMemory: AnyObject {
    /// The answer, or nil to go the long way.
    ///
    /// Asked for GET and HEAD without a body only, and never where one of the fields that `RequestHead` names came twice or
    /// there is an `If-Match`. It must not block.
    func answer(to head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedAnswer?
}

/// Answers requests. The server asks it in this order; all but a decision's `respond` run on an event loop.
package protocol Handler: Sendable {
    /// What an event loop asks before it makes a `Request`; each loop has one of its own. Nil where nothing is there already.
    func makeMemory() -> (any AnswerMemory)?

    /// What is to become of the request; asked once its head is read, with an empty body.
    func route(_ request: Request) -> RouteDecision
}

extension Handler {
    package func makeMemory() -> (any AnswerMemory)? { nil }

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
