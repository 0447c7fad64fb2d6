import HTTP

/// The bytes of a loop's connections: what is ready, what is read and sent, how long each has for it. Knows nothing of requests.
struct Transport: ~Copyable {
    /// Of the turn; monotonic nanoseconds.
    private(set) var now: UInt64 = 0
    /// Whether connections are closed once they have nothing to do.
    private(set) var isDraining = false
    /// Of the connection whose turn it is.
    var output: AnswerBuffer

    private let epoll: Epoll
    private let timeouts: Timeouts
    private let input: ReadBuffer
    private var connections: ConnectionTable
    private var deadlines: Deadlines
    private var hasClosed = false

    init(_ timeouts: Timeouts, _ connections: consuming ConnectionTable) throws(SystemError) {
        let epoll = try Epoll(capacity: 256)
        let deadlines = try Deadlines()
        try Self.watch(deadlines.alarm.descriptor.raw, in: epoll)
        self.epoll = epoll
        self.deadlines = deadlines
        self.timeouts = timeouts
        self.connections = connections
        input = ReadBuffer(capacity: 64 << 10)
        output = AnswerBuffer()
    }

    // MARK: What is ready

    /// Of the epoll set.
    var descriptor: Int32 { epoll.descriptor.raw }
    /// Readable when a deadline, or the time of `setAlarm`, is over.
    var alarmDescriptor: Int32 { deadlines.alarm.descriptor.raw }

    /// Reports `raw`, which is no connection, with itself as the token. Connections have a serial number above zero in the upper half.
    func watch(_ raw: Int32) throws(SystemError) { try Self.watch(raw, in: epoll) }

    private static func watch(_ raw: Int32, in epoll: borrowing Epoll) throws(SystemError) {
        try epoll.add(raw, .readable, token: UInt64(UInt32(bitPattern: raw)))
    }

    func ignore(_ raw: Int32) { epoll.remove(raw) }

    /// Begins a turn, after up to so many milliseconds where nothing is ready.
    /// - Returns: how many events there are.
    mutating func poll(patience: Int32) -> Int {
        let count = epoll.poll(patience: patience)
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

    mutating func drain() { isDraining = true }

    /// Takes a connection in.
    /// - Returns: false where the kernel has no memory left to watch it; it is then closed.
    mutating func open(_ descriptor: consuming FileDescriptor, from listener: ListeningSocket, network: String?) -> Bool {
        let connection = Connection(
            descriptor, serial: connections.nextSerial(), handler: listener.handler, memory: listener.memory, network: network)
        let events: Epoll.Events = [.readable, .writable, .ended, .edge]
        guard (try? epoll.add(connection.descriptor.raw, events, token: connection.token)) != nil else { return false }
        connections.insert(connection)
        wait(connection, for: .head)
        return true
    }

    /// Closes it, unless that was done before.
    mutating func close(_ connection: Connection) {
        guard !connection.isClosed else { return }
        connection.isClosed = true
        hasClosed = true
        deadlines.set(connection.slot, to: Deadlines.never)
        epoll.remove(connection.descriptor.raw)
        connections.remove(connection)
    }

    /// Whether a connection was closed since this was asked.
    mutating func takeHasClosed() -> Bool {
        defer { hasClosed = false }
        return hasClosed
    }

    // MARK: Deadlines

    /// Gives the connection its time, from now on, for what it is to do next. The server's own time is not limited.
    @inline(__always)
    mutating func wait(_ connection: Connection, for wait: Connection.Wait) {
        connection.wait = wait
        deadlines.set(connection.slot, to: wait == .nothing ? Deadlines.never : now &+ timeouts.of(wait))
    }

    mutating func setAlarm(after nanoseconds: UInt64) { deadlines.setAlarm(now &+ nanoseconds) }

    /// Those whose time has run out, each once.
    mutating func expired() -> [Connection] {
        readClock()
        return deadlines.expired(at: now).compactMap { connections.connection(slot: $0) }
    }

    // MARK: Input

    enum Input {
        /// Good until the next read.
        case bytes(UnsafeBufferPointer<UInt8>)
        case nothing
        case ended
    }

    /// Reads once. What comes after the last answer is thrown away.
    func read(_ connection: Connection) -> Input {
        let buffer = input.storage
        switch Socket.read(connection.descriptor.raw, into: buffer) {
        case .bytes(0), .failed:
            return .ended
        case .wouldBlock:
            connection.mayRead = false
            return .nothing
        case .bytes(let count):
            // After a short read there is nothing left; more of it is a new event. Only the end is told with the last bytes.
            connection.mayRead = count == buffer.count || connection.hasEnded
            return connection.phase == .lingering ? .nothing : .bytes(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
