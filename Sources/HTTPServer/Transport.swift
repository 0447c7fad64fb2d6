import HTTP

/// Input, output and deadlines of a loop's connections over one epoll set. It does not know about requests.
struct Transport: ~Copyable {
    /// `Clock.monotonic` at the beginning of the turn, in nanoseconds.
    private(set) var now: UInt64 = 0
    /// While draining, a connection is closed as soon as it is idle.
    private(set) var isDraining = false
    /// The answers to the connection that is being served.
    var output: AnswerBuffer

    private let epoll: Epoll
    private let timeouts: Timeouts
    private let input: ReadBuffer
    /// The streams among the connections.
    var streams: StreamTable
    private var connections: ConnectionTable
    private var deadlines: Deadlines
    private var hasClosed = false

    /// - Parameter seed: see `AnswerBuffer`.
    init(
        _ timeouts: Timeouts, _ connections: consuming ConnectionTable, _ streams: consuming StreamTable, seed: UInt64
    ) throws(SystemError) {
        let epoll = try Epoll(capacity: 256)
        let deadlines = try Deadlines()
        try Self.watch(deadlines.timer.descriptor.raw, in: epoll)
        self.epoll = epoll
        self.deadlines = deadlines
        self.timeouts = timeouts
        self.connections = connections
        self.streams = streams
        input = ReadBuffer(capacity: 64 << 10)
        output = AnswerBuffer(seed: seed)
    }

    // MARK: Events

    /// The epoll set.
    var descriptor: Int32 { epoll.descriptor.raw }
    /// Becomes readable when a deadline or the time given to `setTimer` has passed.
    var timerDescriptor: Int32 { deadlines.timer.descriptor.raw }

    /// Watches a descriptor that is not a connection. Its events carry the descriptor as token; the token of a connection has a serial
    /// number above 0 in its upper 32 bits.
    func watch(_ raw: Int32) throws(SystemError) { try Self.watch(raw, in: epoll) }

    private static func watch(_ raw: Int32, in epoll: borrowing Epoll) throws(SystemError) {
        try epoll.add(raw, .readable, token: UInt64(UInt32(bitPattern: raw)))
    }

    func unwatch(_ raw: Int32) { epoll.remove(raw) }

    /// Begins a turn: waits up to `timeout` milliseconds for events and reads the clocks.
    /// - Returns: the number of events.
    mutating func poll(timeout: Int32) -> Int {
        let count = epoll.poll(timeout: timeout)
        readClock()
        output.setDate(secondsSince1970: Clock.secondsSince1970())
        return count
    }

    func event(_ index: Int) -> (token: UInt64, events: Epoll.Events) { epoll[index] }

    mutating func readClock() { now = Clock.monotonic() }

    // MARK: Connections

    var isEmpty: Bool { connections.isEmpty }
    var all: [Connection] { connections.all }
    func connection(_ token: UInt64) -> Connection? { connections.connection(token: token) }
    func connection(slot: Int) -> Connection? { connections.connection(slot: slot) }

    mutating func drain() { isDraining = true }

    /// Registers an accepted connection.
    /// - Returns: false if epoll cannot watch it (ENOMEM, ENOSPC). The descriptor is then closed.
    mutating func open(_ descriptor: consuming FileDescriptor, from listener: Listener, network: String?) -> Bool {
        let connection = Connection(
            descriptor, serial: connections.nextSerial(), handler: listener.handler, cache: listener.cache, network: network)
        let events: Epoll.Events = [.readable, .writable, .ended, .edge]
        guard (try? epoll.add(connection.descriptor.raw, events, token: connection.token)) != nil else { return false }
        connections.insert(connection)
        startTimeout(of: connection, for: .head)
        return true
    }

    /// Closes the connection. A second call does nothing.
    /// - Parameter end: why its stream ends, if it has one.
    mutating func close(_ connection: Connection, _ end: StreamEnd = .client) {
        guard !connection.isClosed else { return }
        streams.remove(connection, end)
        connection.isClosed = true
        hasClosed = true
        deadlines.set(connection.slot, to: Deadlines.never)
        epoll.remove(connection.descriptor.raw)
        connections.remove(connection)
    }

    /// Whether a connection was closed since the last call.
    mutating func takeHasClosed() -> Bool {
        defer { hasClosed = false }
        return hasClosed
    }

    // MARK: Deadlines

    /// Sets the connection's deadline to `now` plus the configured time. `.none` removes the deadline while a handler runs.
    @inline(__always)
    mutating func startTimeout(of connection: Connection, for timeout: Connection.Timeout) {
        connection.timeout = timeout
        deadlines.set(connection.slot, to: timeout == .none ? Deadlines.never : now &+ timeouts.duration(of: timeout))
    }

    /// Sets the connection's deadline to a given time, in nanoseconds from `now`.
    mutating func startTimeout(of connection: Connection, for timeout: Connection.Timeout, within nanoseconds: UInt64) {
        connection.timeout = timeout
        deadlines.set(connection.slot, to: now &+ nanoseconds)
    }

    mutating func setTimer(after nanoseconds: UInt64) { deadlines.setTimer(now &+ nanoseconds) }

    /// The connections whose deadline has passed, each reported once.
    mutating func expired() -> [Connection] {
        readClock()
        return deadlines.expired(at: now).compactMap { connections.connection(slot: $0) }
    }

    // MARK: Input

    enum Input {
        /// Valid until the next read.
        case bytes(UnsafeBufferPointer<UInt8>)
        case nothing
        case ended
    }

    /// Reads once. Input after the last answer (`lingering`) is discarded.
    func read(_ connection: Connection) -> Input {
        let buffer = input.storage
        switch Socket.read(connection.descriptor.raw, into: buffer) {
        case .bytes(0), .failed:
            return .ended
        case .wouldBlock:
            connection.isReadable = false
            return .nothing
        case .bytes(let count):
            // After a short read the socket is empty, and more input causes a new edge. EPOLLRDHUP is reported together with the last
            // bytes, so the end needs another read.
            connection.isReadable = count == buffer.count || connection.hasReceivedFIN
            return connection.phase == .lingering ? .nothing : .bytes(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }
}

/// Output: from encoded answers to the socket.
extension Transport {
    /// Bodies up to this size are copied after their head, so that one `send` takes both. Larger bodies are queued without a copy.
    private static let copyBound = 32 << 10

    /// Appends a body behind its head in `output`.
    @inline(__always)
    mutating func append(_ body: ArraySlice<UInt8>, to connection: Connection) {
        if body.count <= Self.copyBound {
            output.append(body: body)
        } else {
            connection.enqueue(output.take())
            connection.enqueue(body)
            startTimeout(of: connection, for: .write)
        }
    }

    /// Sends a part of a stream, as much as the socket takes, and queues the rest, up to `Streaming.bufferLimit`. Does not change `output`.
    mutating func send(_ bytes: ArraySlice<UInt8>, to connection: Connection) {
        guard connection.hasPending else {
            switch bytes.withUnsafeBytes({ Socket.send(connection.descriptor.raw, $0) }) {
            case .bytes(let count) where count >= bytes.count: return
            case .bytes(let count): connection.enqueue(bytes.dropFirst(count))
            case .wouldBlock: connection.enqueue(bytes)
            case .failed: return close(connection)
            }
            connection.isWritable = false
            return startTimeout(of: connection, for: .write)
        }
        guard connection.pendingBytes + bytes.count <= Streaming.bufferLimit else { return close(connection, .slow) }
        connection.enqueue(bytes)
    }

    /// Sends all output of the connection.
    /// - Returns: true if all is sent and the connection is open.
    mutating func flush(_ connection: Connection) -> Bool {
        if !output.isEmpty {
            guard flushOutput(connection) else { return false }
        }
        if connection.hasPending {
            guard flushPending(connection) else { return false }
        }
        if connection.phase == .closing { end(connection) }
        return !connection.isClosed
    }

    /// Sends the loop's buffer. Queues the rest with the connection. False if the connection failed.
    private mutating func flushOutput(_ connection: Connection) -> Bool {
        guard !connection.hasPending, connection.isWritable else {
            connection.enqueue(output.take())
            return true
        }
        switch output.send(to: connection.descriptor.raw) {
        case .all:
            return true
        case .partial(let rest):
            connection.isWritable = false
            connection.enqueue(rest)
            startTimeout(of: connection, for: .write)
            return true
        case .failed:
            close(connection)
            return false
        }
    }

    /// Sends the connection's queue. False if some of it is left or the connection failed.
    private mutating func flushPending(_ connection: Connection) -> Bool {
        guard connection.isWritable else { return startWriteTimeout(connection) }
        switch connection.sendPending() {
        case .failed:
            close(connection)
            return false
        case .wouldBlock:
            connection.isWritable = false
            return startWriteTimeout(connection)
        case .bytes:
            guard !connection.hasPending else {
                connection.isWritable = false
                startTimeout(of: connection, for: .write)
                return false
            }
            startTimeoutAfterOutput(connection)
            return true
        }
    }

    /// Starts the write timeout unless it is running: it measures the time without progress.
    private mutating func startWriteTimeout(_ connection: Connection) -> Bool {
        if connection.timeout != .write { startTimeout(of: connection, for: .write) }
        return false
    }

    private mutating func startTimeoutAfterOutput(_ connection: Connection) {
        switch connection.phase {
        case .head: startTimeout(of: connection, for: connection.buffered.isEmpty ? .idle : .head)
        case .body: startTimeout(of: connection, for: .body)
        case .working: startTimeout(of: connection, for: .none)
        case .streaming: startTimeout(of: connection, for: .stream)
        case .closing, .lingering: break
        }
    }

    /// Closes the sending side after the last answer. Closing both sides while input is unread would reset the connection, and the client
    /// might never read the answer (RFC 9112 9.6).
    private mutating func end(_ connection: Connection) {
        guard connection.lingers || connection.isReadable else { return close(connection) }
        Socket.shutdownWrite(connection.descriptor.raw)
        connection.phase = .lingering
        connection.buffered = []
        connection.hasUnparsedInput = false
        connection.isReadable = true
        startTimeout(of: connection, for: .linger)
    }
}

/// A connection's output that waits for space in the socket's send buffer. Bodies are shared, not copied.
struct PendingOutput {
    private var parts: [ArraySlice<UInt8>] = []
    /// The reservation of memory for the parts.
    private var reservation: (any AnyObject & Sendable)?

    var isEmpty: Bool { parts.isEmpty }
    var byteCount: Int { parts.reduce(0) { $0 + $1.count } }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if !bytes.isEmpty { parts.append(bytes) }
    }

    /// Retains the object until all parts were sent.
    mutating func keep(_ reservation: any AnyObject & Sendable) {
        if !isEmpty { self.reservation = reservation }
    }

    /// Sends until the queue is empty or the socket would block. `.bytes` has the number of bytes sent.
    mutating func send(to descriptor: Int32) -> IOResult {
        var sent = 0
        while let part = parts.first {
            switch part.withUnsafeBytes({ Socket.send(descriptor, $0, more: parts.count > 1) }) {
            case .bytes(let count):
                sent &+= count
                if count >= part.count { parts.removeFirst() } else { parts[0] = part.dropFirst(count) }
            case .wouldBlock:
                return sent > 0 ? .bytes(sent) : .wouldBlock
            case .failed:
                return .failed
            }
        }
        reservation = nil
        return .bytes(sent)
    }
}

/// The buffer that all connections of a loop read into, one after another.
struct ReadBuffer: ~Copyable {
    let storage: UnsafeMutableBufferPointer<UInt8>

    init(capacity: Int) {
        storage = .allocate(capacity: capacity)
        storage.initialize(repeating: 0)
    }

    deinit { storage.deallocate() }
}
