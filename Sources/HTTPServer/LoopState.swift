import HTTP

/// The state of one event loop, and its handling of events. One serial queue owns it, so it needs no lock.
///
/// Its parts have private state: `Acceptor` the listening sockets, `Transport` bytes and deadlines, `Conversation` requests and answers.
struct LoopState: ~Copyable {
    enum Outcome { case idle, ended }

    private let mailbox: Mailbox
    private var acceptor: Acceptor
    private var transport: Transport
    private var conversation: Conversation
    private var broadcasts = Broadcasts()
    /// Connections with more work, which were interrupted so that other connections are served.
    private var unfinished: [Connection] = []

    init(
        configuration: HTTPServer.Configuration, shared: SharedState, listeners: [Listener], mailbox: Mailbox
    ) throws(SystemError) {
        let metrics = shared.metrics.ofLoop()
        let transport = try Transport(
            Timeouts(configuration), ConnectionTable(shared: shared, metrics: metrics),
            StreamTable(limits: shared.streams, metrics: metrics), seed: configuration.makeRequestID())
        let acceptor = Acceptor(listeners, configuration, shared: shared, metrics: metrics)
        try transport.watch(mailbox.wakeup.descriptor.raw)
        try acceptor.open(over: transport)
        self.mailbox = mailbox
        self.transport = transport
        self.acceptor = acceptor
        conversation = Conversation(configuration, shared: shared, metrics: metrics, mailbox: mailbox)
    }

    /// The epoll set.
    var descriptor: Int32 { transport.descriptor }

    /// How long the loop waits for events before it returns to Dispatch, in milliseconds: returning and being called again costs two
    /// context switches.
    private static let pollTimeout: Int32 = 10

    /// Handles events until there are none for `pollTimeout`, or until the loop has drained.
    mutating func serve() -> Outcome {
        while true {
            let hasWork = !unfinished.isEmpty || !broadcasts.isEmpty
            let count = transport.poll(timeout: hasWork ? 0 : Self.pollTimeout)
            guard count > 0 || hasWork else { return .idle }
            for index in 0..<count {
                let (token, events) = transport.event(index)
                if token >> 32 == 0 {
                    handleControlEvent(Int32(truncatingIfNeeded: token))
                } else if let connection = transport.connection(token) {
                    handle(events, of: connection)
                }
            }
            if !unfinished.isEmpty { advanceUnfinished() }
            if !broadcasts.isEmpty { broadcasts.advance(over: &transport) }
            if transport.takeHasClosed() { acceptor.resume(over: &transport) }
            if transport.isDraining, transport.isEmpty { return .ended }
        }
    }

    private mutating func handle(_ events: Epoll.Events, of connection: Connection) {
        guard events.isDisjoint(with: [.failed, .hungUp]) else { return transport.close(connection) }
        if events.contains(.ended) { connection.hasReceivedFIN = true }
        if !events.isDisjoint(with: [.readable, .ended]) { connection.isReadable = true }
        if events.contains(.writable) { connection.isWritable = true }
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

    private mutating func handleControlEvent(_ descriptor: Int32) {
        if descriptor == mailbox.wakeup.descriptor.raw {
            for message in mailbox.take() { handle(message) }
        } else if descriptor == transport.timerDescriptor {
            handleExpired()
        } else {
            acceptor.accept(at: descriptor, over: &transport)
        }
    }

    private mutating func handle(_ message: Mailbox.Message) {
        switch message {
        case .answer(let response, let token):
            guard let connection = transport.connection(token) else { return }
            transport.readClock()
            conversation.responder.deliver(response, to: connection, over: &transport)
            advance(connection)
        case .checked(let admission, let token):
            guard let connection = transport.connection(token) else { return }
            transport.readClock()
            conversation.proceed(connection, admission, over: &transport)
            advance(connection)
        case .portion(let stream, let token):
            guard let connection = transport.connection(token) else { return }
            transport.readClock()
            if let stream {
                conversation.streaming.feed(stream, to: connection, over: &transport)
            } else {
                conversation.streaming.end(connection, .restart, over: &transport)
            }
            advance(connection)
        case .events(let events):
            broadcasts.append(events)
        case .restartStreams:
            broadcasts.removeAll()
            for connection in transport.all where connection.stream != nil {
                conversation.streaming.end(connection, .restart, over: &transport)
                advance(connection)
            }
        case .endStreamsWithoutAccess:
            transport.readClock()
            for slot in transport.streams.guarded {
                guard let connection = transport.connection(slot: Int(slot)) else { continue }
                conversation.streaming.endForAccess(connection, over: &transport)
                advance(connection)
            }
        case .proxies(let proxies):
            conversation.trust(proxies)
            acceptor.trust(proxies)
            for connection in transport.all { connection.isFromProxy = nil }
        case .drain:
            drain()
        case .stop:
            for connection in transport.all { transport.close(connection) }
        }
    }

    /// Answers 408 to a client with an incomplete request. Closes connections that are idle or do not read.
    private mutating func handleExpired() {
        for connection in transport.expired() {
            switch connection.timeout {
            case .head where !connection.buffered.isEmpty, .body:
                conversation.responder.refuse(connection, .timeout, method: connection.parser?.head.method ?? .get, over: &transport)
                advance(connection)
            case .stream:
                conversation.streaming.beat(connection, over: &transport)
                advance(connection)
            case .write:
                transport.close(connection, .slow)
            case .head, .idle, .linger, .none:
                transport.close(connection)
            }
        }
        acceptor.resume(over: &transport)
    }

    /// Ends the streams, accepts queued connections, closes the listening sockets and idle connections, and answers the requests that have
    /// begun.
    private mutating func drain() {
        guard !transport.isDraining else { return }
        transport.drain()
        broadcasts.removeAll()
        for connection in transport.all where connection.stream != nil {
            conversation.streaming.endForDrain(connection, over: &transport)
            advance(connection)
        }
        acceptor.close(over: &transport)
        for connection in transport.all {
            connection.isReadable = true
            advance(connection)
        }
    }
}
