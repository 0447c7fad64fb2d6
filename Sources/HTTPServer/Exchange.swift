import HTTP

/// One request that went the long way, from its head through its body to its answer. Its connection's loop owns it.
final class Exchange {
    /// What came of more of the body; `progress` where the client has earned more time.
    enum Progress {
        case needsMore, progress, complete
        case refused(RequestFailure)
    }

    private(set) var request: Request
    let decision: RouteDecision
    /// By `Clock.monotonic`.
    let startedAt: UInt64
    /// What the body takes of the memory for all bodies.
    let room: BodyRoom
    /// Whether the client wants no other request on this connection, or cannot have one.
    private(set) var closes: Bool
    /// Whether the client waits for `100 Continue`.
    private(set) var expectsContinue = false

    private let framing: BodyFraming
    private var reader: BodyReader?
    /// How much of the body there was when its deadline was last set.
    private var mark = 0

    init(_ request: Request, _ decision: RouteDecision, _ head: RequestHead, room: BodyRoom, startedAt: UInt64) {
        self.request = request
        self.decision = decision
        self.room = room
        self.startedAt = startedAt
        closes = !head.keepsAlive
        framing = head.framing
    }

    /// The request with its body, for who answers it: it is not kept twice.
    func takeRequest() -> Request {
        defer { request.body = [] }
        return request
    }

    /// Passes over a body that nobody wants, of which so many bytes have come.
    /// - Returns: how many bytes that is; nil where more is to come, so that the connection cannot be used again.
    func passBody(available: Int) -> Int? {
        switch framing {
        case .none: return 0
        case .length(let length) where length <= available: return length
        case .length, .chunked:
            closes = true
            return nil
        }
    }

    // MARK: The body

    /// To be called before anything else of the body.
    func expectBody(_ head: RequestHead, limit: Int, hasBegun: Bool, limits: RequestLimits) {
        expectsContinue = head.expectsContinue && !hasBegun
        reader = try? BodyReader(framing, limit: limit, limits: limits)
    }

    /// Whether it says that it is larger than it may be.
    var isTooLarge: Bool { reader == nil }

    /// Whether it may be large, or the client keeps it back: it is then only read once it is known that it may be sent.
    var needsAdmission: Bool { expectsContinue || isTooLarge || BodyRoom.isNeeded(for: framing) }

    /// False where there is no memory for it.
    func reserveRoom() -> Bool { room.reserve(framing) }

    func receive(_ bytes: Span<UInt8>, from offset: inout Int) -> Progress {
        guard var reader else { return .refused(.badRequest("There is no body to read.")) }
        self.reader = nil  // so that the body is not shared while it grows
        let outcome = reader.receive(bytes, from: &offset)
        guard room.grow(to: reader.body.count) else { return .refused(.overloaded) }
        switch outcome {
        case .needsMore:
            let hasEarnedTime = reader.body.count &- mark >= 1 << 20
            if hasEarnedTime { mark = reader.body.count }
            self.reader = reader
            return hasEarnedTime ? .progress : .needsMore
        case .complete:
            request.body = reader.body
            return .complete
        case .refused(let failure):
            return .refused(failure)
        }
    }
}
