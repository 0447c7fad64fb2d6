import Dispatch
import HTTP
import Synchronization

/// Serves the connections of one epoll set, on one serial queue.
///
/// Dispatch watches the set itself; the handler takes what is ready until nothing has been for a while. It is woken rarely
/// under load and costs no system call for each connection.
final class EventLoop: @unchecked Sendable {  // all of it belongs to `queue`, but `mailbox`, which has a lock
    let mailbox: Mailbox
    let configuration: HTTPServer.Configuration
    let shared: ServerShare
    let metrics: any ServerMetrics
    let epoll: Epoll
    let timeouts: Timeouts

    var deadlines: Deadlines
    var listeners: [ListeningSocket]
    var acceptsPaused = false
    var connections: [Connection?] = []
    var connectionCount = 0
    var lastSerial: UInt32 = 0
    var isDraining = false

    let input = ReadBuffer(capacity: 64 << 10)
    /// Answers of the connection whose turn it is; empty between two turns.
    var output: [UInt8] = []
    var parser: RequestParser
    var date = DateStamp()
    /// Monotonic, of the turn.
    var now: UInt64 = 0
    /// Connections that had to make way for others though they were not done.
    var unfinished: [Connection] = []

    private let queue: DispatchQueue
    private var source: (any DispatchSourceRead)?

    /// `output` is not filled beyond this by requests that came together, in bytes.
    static let outputBound = 64 << 10

    init(
        label: String, configuration: HTTPServer.Configuration, shared: ServerShare, listeners: [ListeningSocket]
    ) throws(SystemError) {
        self.configuration = configuration
        self.shared = shared
        metrics = shared.metrics.ofLoop()
        self.listeners = listeners
        timeouts = Timeouts(configuration)
        epoll = try Epoll(capacity: 256)
        deadlines = try Deadlines()
        mailbox = try Mailbox()
        parser = RequestParser(limits: configuration.limits)
        output.reserveCapacity(Self.outputBound + 4096)
        try epoll.add(mailbox.wakeup.descriptor.raw, .readable, token: Self.token(mailbox.wakeup.descriptor.raw))
        try epoll.add(deadlines.alarm.descriptor.raw, .readable, token: Self.token(deadlines.alarm.descriptor.raw))
        for listener in listeners { try epoll.add(listener.raw, .readable, token: Self.token(listener.raw)) }
        queue = DispatchQueue(label: label)
    }

    func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: epoll.descriptor.raw, queue: queue)
        source.setEventHandler { self.serve() }
        // The handler keeps the loop, and with it the epoll set, until Dispatch has let go of both.
        source.setCancelHandler { self.shared.loops.leave() }
        self.source = source
        shared.loops.enter()
        source.activate()
    }

    /// The token of what is no connection; connections have a serial number above zero in the upper half.
    static func token(_ descriptor: Int32) -> UInt64 { UInt64(UInt32(bitPattern: descriptor)) }

    /// Going back to Dispatch and being woken by it costs two changes of thread, so that a loop which was busy a moment ago
    /// waits so many milliseconds for more before it does.
    private static let patience: Int32 = 10

    /// Takes what is ready until nothing is.
    private func serve() {
        Scheduling.wakeAtOnce()
        while true {
            let count = epoll.poll(patience: unfinished.isEmpty ? Self.patience : 0)
            guard count > 0 || !unfinished.isEmpty else { return }
            now = Clock.monotonic()
            date.update(secondsSince1970: Clock.secondsSince1970())
            for index in 0..<count {
                let (token, events) = epoll[index]
                if token >> 32 == 0 {
                    special(Int32(truncatingIfNeeded: token))
                } else if let connection = connection(token) {
                    ready(connection, events)
                }
            }
            let again = unfinished
            if !again.isEmpty {
                unfinished = []
                for connection in again where !connection.isClosed { advance(connection) }
            }
        }
    }

    /// The connection of that token, unless it is gone.
    func connection(_ token: UInt64) -> Connection? {
        let slot = Int(UInt32(truncatingIfNeeded: token))
        guard slot < connections.count, let connection = connections[slot], connection.token == token else { return nil }
        return connection
    }

    private func special(_ descriptor: Int32) {
        if descriptor == mailbox.wakeup.descriptor.raw {
            for message in mailbox.take() { receive(message) }
        } else if descriptor == deadlines.alarm.descriptor.raw {
            sweep()
        } else if let listener = listeners.first(where: { $0.raw == descriptor }) {
            accept(from: listener)
        }
    }

    private func receive(_ message: Mailbox.Message) {
        switch message {
        case .answer(let response, let token):
            guard let connection = connection(token) else { return }
            now = Clock.monotonic()
            deliver(response, to: connection)
            advance(connection)
        case .admission(let refusal, let token):
            guard let connection = connection(token) else { return }
            now = Clock.monotonic()
            admit(connection, unless: refusal)
            advance(connection)
        case .drain:
            drain()
        case .stop:
            for connection in connections { connection.map(close) }
            finish()
        }
    }

    private func ready(_ connection: Connection, _ events: Epoll.Events) {
        guard events.isDisjoint(with: [.failed, .hungUp]) else { return close(connection) }
        if events.contains(.ended) { connection.hasEnded = true }
        if !events.isDisjoint(with: [.readable, .ended]) { connection.mayRead = true }
        if events.contains(.writable) { connection.mayWrite = true }
        advance(connection)
    }

    /// Ends the loop once it drains and has no connection left.
    func finish() {
        guard isDraining, connectionCount == 0 else { return }
        source?.cancel()
    }
}

/// The configured times in nanoseconds.
struct Timeouts {
    let head, body, idle, write, linger: UInt64

    init(_ configuration: HTTPServer.Configuration) {
        head = configuration.headerTimeout.nanoseconds
        body = configuration.bodyTimeout.nanoseconds
        idle = configuration.idleTimeout.nanoseconds
        write = configuration.writeTimeout.nanoseconds
        linger = configuration.lingerTimeout.nanoseconds
    }
}
