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
