import HTTP

/// The state of one client's connection between two events. Only its event loop reads or changes it.
///
/// An idle connection has no buffers: `buffered` is empty, `parser` and `exchange` are nil.
///
/// Methods move a property out before they change it and store it back afterwards: an access that spans no call needs no dynamic check
/// of exclusivity.
final class Connection {
    enum Phase {
        /// Idle, or reading a request's head.
        case head
        /// Reading the body of `exchange`.
        case body
        /// A worker checks the head or runs the handler.
        case working
        /// The response has no end: `stream`. Input is discarded.
        case streaming
        /// The last answer is being sent.
        case closing
        /// The last answer is sent; further input is discarded.
        case lingering
    }

    /// The configured timeout that the deadline belongs to.
    enum Timeout {
        case none, head, body, idle, write, stream, linger
    }

    let descriptor: FileDescriptor
    /// Distinguishes this connection from an earlier one with the same descriptor.
    let serial: UInt32
    let handler: any Handler
    let cache: (any AnswerCache)?
    /// The key in `AddressCounts`; nil if connections are not counted per address.
    let network: String?

    var phase = Phase.head
    var timeout = Timeout.none
    /// The last known readiness. epoll is edge-triggered, so it is valid until a call returns EAGAIN.
    var isReadable = true
    var isWritable = true
    /// Whether the client has shut down its sending side (EPOLLRDHUP).
    var hasReceivedFIN = false
    /// Whether `buffered` may contain another complete request.
    var hasUnparsedInput = false
    /// Whether the client may still be sending when the last answer is sent, because the server ends the connection.
    var lingers = false
    var isClosed = false

    /// Input that was read and not consumed, from the first byte of a request on.
    var buffered: [UInt8] = []
    /// The parser of an incomplete head in `buffered`.
    var parser: RequestParser?
    var exchange: Exchange?
    /// Only in the phase `streaming`.
    var stream: OpenStream?
    private var pending = PendingOutput()

    init(_ descriptor: consuming FileDescriptor, serial: UInt32, handler: any Handler, cache: (any AnswerCache)?, network: String?) {
        self.descriptor = descriptor
        self.serial = serial
        self.handler = handler
        self.cache = cache
        self.network = network
    }

    /// Identifies the connection to epoll and to workers: serial number and descriptor.
    var token: UInt64 { UInt64(serial) << 32 | UInt64(UInt32(bitPattern: descriptor.raw)) }
    var slot: Int { Int(descriptor.raw) }

    /// Whether output waits for space in the socket's send buffer.
    var hasPending: Bool { !pending.isEmpty }

    var pendingBytes: Int { pending.byteCount }

    /// Queues output for `sendPending`.
    func enqueue(_ bytes: ArraySlice<UInt8>) {
        var pending = pending
        self.pending = PendingOutput()
        pending.append(bytes)
        self.pending = pending
    }

    /// Retains the object until the queued output was sent.
    func keepUntilSent(_ reservation: any AnyObject & Sendable) {
        var pending = pending
        self.pending = PendingOutput()
        pending.keep(reservation)
        self.pending = pending
    }

    /// Sends queued output until the queue is empty or the socket is full.
    func sendPending() -> IOResult {
        var pending = pending
        self.pending = PendingOutput()
        defer { self.pending = pending }
        return pending.send(to: descriptor.raw)
    }

    /// Appends to `buffered`.
    func buffer(_ bytes: UnsafeBufferPointer<UInt8>) {
        var buffered = buffered
        self.buffered = []
        buffered.append(contentsOf: bytes)
        self.buffered = buffered
    }

    /// Whether the peer is a trusted proxy; nil if that is not known yet.
    var isFromProxy: Bool?
    private(set) lazy var peerAddress = Socket.peerAddress(descriptor.raw)?.host ?? ""
}
