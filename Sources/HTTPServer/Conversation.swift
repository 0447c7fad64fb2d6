import HTTP

/// Requests and answers of a loop's connections: reads requests from bytes, has them answered, here or on a worker.
struct Conversation: ~Copyable {
    /// Whether a connection is done for now, or has more and only made way for others.
    enum Progress { case done, hasMore }

    /// Reads the head at hand; a connection keeps a parser of its own only where a head comes in parts.
    private var parser: RequestParser
    private let configuration: HTTPServer.Configuration
    private let shared: ServerShare
    let responder: Responder
    private let mailbox: Mailbox

    init(_ configuration: HTTPServer.Configuration, shared: ServerShare, metrics: any ServerMetrics, mailbox: Mailbox) {
        parser = RequestParser(limits: configuration.limits)
        self.configuration = configuration
        self.shared = shared
        responder = Responder(configuration, metrics: metrics, isMeasured: shared.isMeasured)
        self.mailbox = mailbox
    }

    // MARK: A connection's turn

    /// Writes, answers and reads until one of them has to wait, or others have to have their turn.
    mutating func advance(_ connection: Connection, over transport: inout Transport) -> Progress {
        var reads = 0
        while transport.flush(connection) {
            switch connection.phase {
            case .working, .closing: return .done
            case .lingering, .head, .body: break
            }
            if connection.mayParse {
                useHeld(connection, over: &transport)
                continue
            }
            guard connection.mayRead else {
                if transport.isDraining, connection.phase == .head, connection.held.isEmpty { transport.close(connection) }
                return .done
            }
            guard reads < 16 else { return .hasMore }
            reads += 1
            switch transport.read(connection) {
            case .bytes(let bytes): use(bytes, connection, over: &transport)
            case .nothing: break
            case .ended: transport.close(connection)
            }
        }
        return .done
    }

    private mutating func use(_ bytes: UnsafeBufferPointer<UInt8>, _ connection: Connection, over transport: inout Transport) {
        guard connection.held.isEmpty else {
            connection.hold(bytes)
            return useHeld(connection, over: &transport)
        }
        let used = consume(bytes.span, for: connection, over: &transport)
        if used < bytes.count { connection.held = Array(bytes[used...]) }
    }

    private mutating func useHeld(_ connection: Connection, over transport: inout Transport) {
        let held = connection.held
        connection.held = []
        let used = consume(held.span, for: connection, over: &transport)
        if used == 0 {
            connection.held = held
        } else if used < held.count {
            connection.held = Array(held[used...])
        }
    }

    // MARK: From bytes to requests

    /// Uses as many whole requests as may be answered now and returns how many bytes that were.
    private mutating func consume(_ bytes: Span<UInt8>, for connection: Connection, over transport: inout Transport) -> Int {
        var offset = 0
        if let begun = connection.parser {
            parser = begun
            connection.parser = nil
        } else {
            parser.reset()
        }
        connection.mayParse = false
        while offset < bytes.count {
            switch connection.phase {
            case .head:
                guard !transport.output.isFull, !connection.hasPending else {
                    connection.mayParse = true
                    return offset
                }
                let rest = bytes.extracting(offset...)
                switch parser.parse(rest) {
                case .needsMore:
                    keepParser(connection, rest, over: &transport)
                    return offset
                case .refused(let failure):
                    responder.refuse(connection, failure, method: parser.head.method, over: &transport)
                    return bytes.count
                case .head(let count):
                    offset &+= count
                    offset &+= begin(rest, bodyAt: count, connection, over: &transport)
                    parser.reset()
                }
            case .body:
                receiveBody(bytes, from: &offset, connection, over: &transport)
            case .working:
                connection.mayParse = true
                return offset
            case .closing, .lingering:
                connection.lingers = true
                return bytes.count
            }
        }
        return offset
    }

    private mutating func keepParser(_ connection: Connection, _ rest: Span<UInt8>, over transport: inout Transport) {
        connection.parser = parser
        parser = RequestParser(limits: configuration.limits)
        let isBlankLine = rest.count <= 2 && rest[0] == 0x0D  // not yet the first byte of a request
        if connection.wait != .head, !isBlankLine { transport.wait(connection, for: .head) }
    }

    /// Answers the request whose head was parsed, or goes on to its body. Returns how many bytes of an ignored body were passed.
    private func begin(_ bytes: Span<UInt8>, bodyAt: Int, _ connection: Connection, over transport: inout Transport) -> Int {
        if parser.head.framing == .none, !parser.head.repeatsKnownField, !parser.head.hasIfMatch,
            parser.head.method == .get || parser.head.method == .head,
            let answer = connection.memory?.answer(to: parser.head, bytes)
        {
            responder.deliver(answer, to: parser.head, of: connection, over: &transport)
            return 0
        }
        let head = parser.head
        let request: Request
        do throws(RequestFailure) {
            request = try Request(head, bytes, id: configuration.newRequestID(), peerAddress: connection.peerAddress)
        } catch {
            responder.refuse(connection, error, method: head.method, over: &transport)
            return 0
        }
        let decision = connection.handler.route(request)
        let exchange = Exchange(request, decision, head, room: shared.room(for: decision), startedAt: transport.now)
        connection.exchange = exchange
        switch decision.body {
        case .ignored:
            let passed = exchange.passBody(available: bytes.count &- bodyAt)
            if passed == nil { connection.lingers = true }
            dispatch(connection, exchange, over: &transport)
            return passed ?? 0
        case .upTo(let limit):
            startBody(head, limit: limit, hasBegun: bytes.count > bodyAt, connection, exchange, over: &transport)
            return 0
        }
    }

    // MARK: Bodies

    /// Reads the body; one that may be large, or that the client keeps back, only once it is known that it may be sent.
    private func startBody(
        _ head: RequestHead, limit: Int, hasBegun: Bool, _ connection: Connection, _ exchange: Exchange, over transport: inout Transport
    ) {
        guard head.framing != .none else { return dispatch(connection, exchange, over: &transport) }
        exchange.expectBody(head, limit: limit, hasBegun: hasBegun, limits: configuration.limits)
        guard exchange.needsAdmission, let admission = exchange.decision.admission else {
            return admit(connection, unless: nil, over: &transport)
        }
        connection.phase = .working
        transport.wait(connection, for: .nothing)
        let (request, token) = (exchange.request, connection.token)
        let isTaken = shared.workers.submit { [mailbox] in
            mailbox.post(.admission(admission(request), connection: token))
        }
        if !isTaken { responder.refuse(connection, .overloaded, over: &transport) }
    }

    /// Goes on to the body, or answers the refusal without it.
    func admit(_ connection: Connection, unless refusal: Response?, over transport: inout Transport) {
        guard let exchange = connection.exchange, case .upTo(let limit) = exchange.decision.body else { return }
        if var refusal {
            refusal.closesConnection = true
            return responder.deliver(refusal, to: connection, over: &transport)
        }
        guard !exchange.isTooLarge else { return responder.refuse(connection, .contentTooLarge(limit: limit), over: &transport) }
        guard exchange.reserveRoom() else { return responder.refuse(connection, .overloaded, over: &transport) }
        connection.phase = .body
        transport.wait(connection, for: .body)
        if exchange.expectsContinue, connection.held.isEmpty { transport.output.appendContinue() }
    }

    private func receiveBody(_ bytes: Span<UInt8>, from offset: inout Int, _ connection: Connection, over transport: inout Transport) {
        guard let exchange = connection.exchange else {
            return responder.refuse(connection, .badRequest("There is no body to read."), over: &transport)
        }
        switch exchange.receive(bytes, from: &offset) {
        case .needsMore: break
        case .progress: transport.wait(connection, for: .body)
        case .complete: dispatch(connection, exchange, over: &transport)
        case .refused(let failure): responder.refuse(connection, failure, over: &transport)
        }
    }

    // MARK: Work

    private func dispatch(_ connection: Connection, _ exchange: Exchange, over transport: inout Transport) {
        let request = exchange.takeRequest()
        switch exchange.decision.runs {
        case .onLoop: responder.deliver(exchange.decision.respond(request), to: connection, over: &transport)
        case .onWorker: submit(request, exchange, connection, to: shared.workers, over: &transport)
        case .onWriter: submit(request, exchange, connection, to: shared.writers, over: &transport)
        }
    }

    private func submit(
        _ request: Request, _ exchange: Exchange, _ connection: Connection, to pool: WorkerPool, over transport: inout Transport
    ) {
        connection.phase = .working
        transport.wait(connection, for: .nothing)
        let (respond, room, token) = (exchange.decision.respond, exchange.room, connection.token)
        let isTaken = pool.submit { [mailbox] in
            let response = respond(request)
            room.leave()
            mailbox.post(.answer(response, connection: token))
        }
        guard !isTaken else { return }
        var response = Response.refusing(.overloaded, instance: request.id)
        response.closesConnection = false  // the request was read to its end
        responder.deliver(response, to: connection, over: &transport)
    }
}
