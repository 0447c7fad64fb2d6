import HTTP

/// One client's connection: what is known of it between two events. Its loop does the work, and no other thread sees it.
///
/// An idle connection has no buffers: `held` is empty, `parser` and `exchange` are nil.
///
/// What is changed in place is taken out first: where no access to a property is under way while anything is called, the compiler
/// leaves out the check at each of them.
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
    private var pending = PendingOutput()

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

    /// Whether the kernel has not taken all of its answers.
    var hasPending: Bool { !pending.isEmpty }

    /// Keeps bytes until they are sent by `sendPending`.
    func keep(_ bytes: ArraySlice<UInt8>) {
        var pending = pending
        self.pending = PendingOutput()
        pending.append(bytes)
        self.pending = pending
    }

    /// Sends what is kept until the kernel takes no more.
    func sendPending() -> Transfer {
        var pending = pending
        self.pending = PendingOutput()
        defer { self.pending = pending }
        return pending.send(to: descriptor.raw)
    }

    /// Appends to `held`.
    func hold(_ bytes: UnsafeBufferPointer<UInt8>) {
        var held = held
        self.held = []
        held.append(contentsOf: bytes)
        self.held = held
    }

    private(set) lazy var peerAddress = Socket.peerAddress(descriptor.raw)?.host ?? ""
}
