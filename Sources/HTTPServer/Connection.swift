import HTTP

/// One client's connection: what is known of it between two events. The loop does the work.
///
/// An idle connection has no buffers: `held` is empty, `parser` and `exchange` are nil.
final class Connection {
    enum Phase {
        /// Waiting for a request or within its head.
        case head
        /// Within the body of `exchange`.
        case body
        /// A worker has the request.
        case working
        /// The last answer is on its way.
        case closing
        /// The last answer is sent; what still comes is thrown away.
        case lingering
    }

    /// What the deadline is for.
    enum Wait {
        case nothing, head, body, idle, write, linger
    }

    let descriptor: FileDescriptor
    /// Tells this connection from an earlier one of the same descriptor.
    let serial: UInt32
    let handler: any Handler
    let memory: (any AnswerMemory)?
    /// What it is counted under; nil where addresses are not.
    let network: String?

    var phase = Phase.head
    var wait = Wait.nothing
    /// Whether there may be something to read, or room to write; what epoll reports once has to be remembered.
    var mayRead = true
    var mayWrite = true
    /// Whether the other end sends no more.
    var hasEnded = false
    /// Whether `held` may hold another whole request.
    var mayParse = false
    /// Whether the client may still be sending when the last answer is sent, because it was not the client that wanted an end.
    var lingers = false
    var isClosed = false

    /// Input that is not used yet, from the beginning of a request on.
    var held: [UInt8] = []
    /// How far `held` has been parsed.
    var parser: RequestParser?
    var exchange: Exchange?
    var output = PendingOutput()

    init(_ descriptor: consuming FileDescriptor, serial: UInt32, handler: any Handler, memory: (any AnswerMemory)?, network: String?) {
        self.descriptor = descriptor
        self.serial = serial
        self.handler = handler
        self.memory = memory
        self.network = network
    }

    /// What epoll and the workers know it by.
    var token: UInt64 { UInt64(serial) << 32 | UInt64(UInt32(bitPattern: descriptor.raw)) }
    var slot: Int { Int(descriptor.raw) }

    private(set) lazy var peerAddress = Socket.peerAddress(descriptor.raw)?.host ?? ""
}

/// One request that went the long way, from its head to its answer.
final class Exchange {
    var request: Request
    let decision: RouteDecision
    let startedAt: UInt64
    /// Whether the client wants no other request on this connection, or cannot have one.
    var closes: Bool
    var framing = BodyFraming.none
    var reader: BodyReader?
    /// What the body takes of the memory for all bodies.
    let room: BodyRoom
    /// Whether the client waits for `100 Continue`.
    var expectsContinue = false
    /// How much of the body there was when its deadline was last set.
    var bodyMark = 0

    init(_ request: Request, _ decision: RouteDecision, room: BodyRoom, startedAt: UInt64, closes: Bool) {
        self.request = request
        self.decision = decision
        self.room = room
        self.startedAt = startedAt
        self.closes = closes
    }
}
