import HTTP

/// One request that a handler answers, from its head to its answer. Only its connection's loop reads or changes it.
final class Exchange {
    /// The result of more input. `progress` means another MiB, which extends the deadline.
    enum Progress {
        case needsMore, progress, complete
        case refused(RequestFailure)
    }

    private(set) var request: Request
    let decision: RouteDecision
    /// By `Clock.monotonic`.
    let startedAt: UInt64
    /// The reservation of memory for the body.
    let reservation: BodyReservation
    /// Whether the connection is closed after the answer, because the client asked for it or the rest of the body is not read.
    private(set) var closes: Bool
    /// Whether the client waits for `100 Continue`.
    private(set) var expectsContinue = false

    /// Answers the request once it was read completely.
    private(set) var respond: @Sendable (Request) -> Response
    private let framing: BodyFraming
    private var reader: BodyReader?
    /// The body's size when its deadline was last extended.
    private var sizeAtDeadline = 0

    init(_ request: Request, _ decision: RouteDecision, _ head: RequestHead, reservation: BodyReservation, startedAt: UInt64) {
        self.request = request
        self.decision = decision
        self.reservation = reservation
        self.startedAt = startedAt
        respond = { decision.respond(to: $0) }
        closes = !head.keepsAlive
        framing = head.framing
    }

    /// The request with its body, which is moved out of the exchange.
    func takeRequest() -> Request {
        defer { request.body = [] }
        return request
    }

    /// Skips a body that the route ignores.
    /// - Parameter available: the bytes received after the head.
    /// - Returns: the body's size; nil if the body is incomplete, so that the connection cannot be reused.
    func skipBody(available: Int) -> Int? {
        switch framing {
        case .none: return 0
        case .length(let length) where length <= available: return length
        case .length, .chunked:
            closes = true
            return nil
        }
    }

    // MARK: The body

    /// Must be called before the other functions of this section.
    func expectBody(_ head: RequestHead, limit: Int, hasBegun: Bool, limits: RequestLimits) {
        expectsContinue = head.expectsContinue && !hasBegun
        reader = try? BodyReader(framing, limit: limit, limits: limits)
    }

    /// Whether the announced length is above the route's limit.
    var isTooLarge: Bool { reader == nil }

    /// Whether the route checks the head before the body is read: if the body may be large, or the client waits for `100 Continue`.
    var needsCheck: Bool {
        decision.checks != .none && (expectsContinue || isTooLarge || BodyReservation.isNeeded(for: framing))
    }

    /// The route has checked the head. It does not check it again.
    func admit(_ respond: @escaping @Sendable (Request) -> Response) { self.respond = respond }

    /// False if `BodyBudget` is exhausted.
    func reserveMemory() -> Bool { reservation.reserve(framing) }

    func receive(_ bytes: Span<UInt8>, from offset: inout Int) -> Progress {
        guard var reader else { return .refused(.badRequest("The body cannot be read.")) }
        self.reader = nil  // a second reference would copy the body when it grows
        let outcome = reader.receive(bytes, from: &offset)
        guard reservation.grow(to: reader.body.count) else { return .refused(.overloaded) }
        switch outcome {
        case .needsMore:
            let hasProgress = reader.body.count &- sizeAtDeadline >= 1 << 20
            if hasProgress { sizeAtDeadline = reader.body.count }
            self.reader = reader
            return hasProgress ? .progress : .needsMore
        case .complete:
            request.body = reader.body
            return .complete
        case .refused(let failure):
            return .refused(failure)
        }
    }
}
