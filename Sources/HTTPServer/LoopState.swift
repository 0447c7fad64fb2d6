import HTTP

/// What one event loop knows, and what it does when something is ready. One queue owns it, so it needs no lock.
///
/// Its parts keep their state to themselves: the `Acceptor` the listening sockets, the `Transport` bytes and deadlines, the
/// `Conversation` requests and answers.
struct LoopState: ~Copyable {
    enum Outcome { case idle, ended }

    private let mailbox: Mailbox
    private var acceptor: Acceptor
    private var transport: Transport
    private var conversation: Conversation
    /// Connections that had to make way for others though they were not done.
    private var unfinished: [Connection] = []

    init(
        configuration: HTTPServer.Configuration, shared: ServerShare, listeners: [ListeningSocket], mailbox: Mailbox
    ) throws(SystemError) {
        let metrics = shared.metrics.ofLoop()
        let transport = try Transport(Timeouts(configuration), ConnectionTable(shared: shared, metrics: metrics))
        let acceptor = Acceptor(listeners, configuration, shared: shared, metrics: metrics)
        try transport.watch(mailbox.wakeup.descriptor.raw)
        try acceptor.open(over: transport)
        self.mailbox = mailbox
        self.transport = transport
        self.acceptor = acceptor
        conversation = Conversation(configuration, shared: shared, metrics: metrics, mailbox: mailbox)
    }

    /// Of the epoll set.
    var descriptor: Int32 { transport.descriptor }

    /// Going back to Dispatch and being woken by it costs two changes of thread, so that a loop which was busy a moment ago
    /// waits so many milliseconds for more before it does.
    private static let patience: Int32 = 10

    /// Takes what is ready until nothing is, or until the loop has drained.
    mutating func serve() -> Outcome {
        while true {
            let count = transport.poll(patience: unfinished.isEmpty ? Self.patience : 0)
            guard count > 0 || !unfinished.isEmpty else { return .idle }
            for index in 0..<count {
                let (token, events) = transport.event(index)
                if token >> 32 == 0 {
                    special(Int32(truncatingIfNeeded: token))
                } else if let connection = transport.connection(token) {
                    ready(connection, events)
                }
            }
            if !unfinished.isEmpty { advanceUnfinished() }
            if transport.takeHasClosed() { acceptor.resume(over: &transport) }
            if transport.isDraining, transport.isEmpty { return .ended }
        }
    }

    private mutating func ready(_ connection: Connection, _ events: Epoll.Events) {
        guard events.isDisjoint(with: [.failed, .hungUp]) else { return transport.close(connection) }
        if events.contains(.ended) { connection.hasEnded = true }
        if !events.isDisjoint(with: [.readable, .ended]) { connection.mayRead = true }
        if events.contains(.writable) { connection.mayWrite = true }
        advance(connection)
    }

    private mutating func advance(_ connection: Connection) {
        if conversation.advance(connection, over: &transport) == .hasMore { unfinished.append(connection) }
    }

    private mutating func advanceUnfinished() {
        let again = unfinished
        unfinished = []
        for connection in again where !connection.isClosed { advance(connection) }
    }

    private mutating func special(_ descriptor: Int32) {
        if descriptor == mailbox.wakeup.descriptor.raw {
            for message in mailbox.take() { receive(message) }
        } else if descriptor == transport.alarmDescriptor {
            sweep()
        } else {
            acceptor.accept(at: descriptor, over: &transport)
        }
    }

    private mutating func receive(_ message: Mailbox.Message) {
        switch message {
        case .answer(let response, let token):
            guard let connection = transport.connection(token) else { return }
            transport.readClock()
            conversation.responder.deliver(response, to: connection, over: &transport)
            advance(connection)
        case .admission(let refusal, let token):
            guard let connection = transport.connection(token) else { return }
            transport.readClock()
            conversation.admit(connection, unless: refusal, over: &transport)
            advance(connection)
        case .drain:
            drain()
        case .stop:
            for connection in transport.all { transport.close(connection) }
        }
    }

    /// A client that has begun a request is told that its time is over; one that has not, or does not read, is not.
    private mutating func sweep() {
        for connection in transport.expired() {
            switch connection.wait {
            case .head where !connection.held.isEmpty, .body:
                conversation.responder.refuse(connection, .timeout, method: connection.parser?.head.method ?? .get, over: &transport)
                advance(connection)
            case .head, .idle, .write, .linger, .nothing:
                transport.close(connection)
            }
        }
        acceptor.resume(over: &transport)
    }

    /// Takes who already knocked, shuts the door, closes what is idle. What has begun is answered.
    private mutating func drain() {
        guard !transport.isDraining else { return }
        transport.drain()
        acceptor.close(over: &transport)
        for connection in transport.all {
            connection.mayRead = true
            advance(connection)
        }
    }
}
