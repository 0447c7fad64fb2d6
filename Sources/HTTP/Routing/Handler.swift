/// A cache of encoded answers that one event loop owns.
package protocol AnswerCache: AnyObject {
    /// The cached answer; nil on a miss, when the request is routed. Must not block.
    ///
    /// Called only for GET and HEAD without a body, without `If-Match`, and without a repeated field among those in `RequestHead`.
    func answer(to head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedAnswer?

    /// Called after such a miss. Must not block. Nil if the request is routed.
    func resolve(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> CacheResolution?
}

/// What a cache knows about a request that it has no answer for.
package enum CacheResolution {
    /// The answer under another spelling of the request.
    case answer(PreparedAnswer)
    /// How to make the answer.
    case decision(RouteDecision)
}

/// Answers requests. Event loops call its functions in this order. The route decision says where its `respond` runs.
package protocol Handler: Sendable {
    /// The cache of a new event loop, which the loop asks before it makes a `Request`. Nil if the handler has no cache.
    func makeCache() -> (any AnswerCache)?

    /// Routes a request. Its head was read; its body is still empty.
    func route(_ request: Request) -> RouteDecision
}

extension Handler {
    package func makeCache() -> (any AnswerCache)? { nil }

    /// Answers a request in process, without a connection.
    package func respond(to request: Request) -> Response {
        route(request).respond(to: request).unpacked
    }
}

/// What a route decides about a request from its head.
package enum Admission: Sendable {
    /// The request is answered without its body.
    case refused(Response)
    /// Answers the request with its body. The function holds what the head was checked for, such as the sender, so that no check runs
    /// twice.
    case admitted(@Sendable (Request) -> Response)
}

/// The way in which a request is answered.
package struct RouteDecision: Sendable {
    package enum Body: Sendable {
        /// The request is answered without its body. If the body did not arrive with the head, the connection is closed.
        case ignored
        /// The body is read before `respond`, up to this number of bytes.
        case upTo(Int)
    }

    /// The route's name, for metrics.
    package let name: String?
    package let body: Body
    package let runs: Route.Place
    /// See `Route`.
    package let checks: Route.Checks
    package let admit: @Sendable (Request) -> Admission

    package init(
        name: String?, body: Body, runs: Route.Place, checks: Route.Checks, admit: @escaping @Sendable (Request) -> Admission
    ) {
        self.name = name
        self.body = body
        self.runs = runs
        self.checks = checks
        self.admit = admit
    }

    /// A decision without checks.
    package init(name: String?, body: Body, runs: Route.Place, respond: @escaping @Sendable (Request) -> Response) {
        self.init(name: name, body: body, runs: runs, checks: .none) { _ in .admitted(respond) }
    }

    /// Answers a request that has arrived completely.
    package func respond(to request: Request) -> Response {
        switch admit(request) {
        case .refused(let refusal): refusal
        case .admitted(let respond): respond(request)
        }
    }
}
