import HTTP
import Platform

/// HTTP on the connections of a loop: parses requests, routes them, and answers them from the cache, on the loop or on a worker.
struct Conversation: ~Copyable {
    /// Whether a connection waits for an event, or was interrupted so that other connections are served.
    enum Progress { case done, hasMore }

    /// Parses heads that arrive complete. A connection has its own parser only while its head is incomplete.
    private var parser: RequestParser
    private var configuration: HTTPServer.Configuration
    private let shared: SharedState
    let responder: Responder
    let streaming: Streaming
    private let mailbox: Mailbox

    init(_ configuration: HTTPServer.Configuration, shared: SharedState, metrics: any ServerMetrics, mailbox: Mailbox) {
        parser = RequestParser(limits: configuration.limits)
        self.configuration = configuration
        self.shared = shared
        streaming = Streaming(configuration, shared: shared, mailbox: mailbox)
        responder = Responder(configuration, streaming, metrics: metrics, isMeasured: shared.isMeasured)
        self.mailbox = mailbox
    }

    mutating func trust(_ proxies: TrustedProxies) { configuration.proxies = proxies }

    // MARK: A connection's turn

    /// Sends, answers and reads until a call would block, or for 16 reads.
    mutating func advance(_ connection: Connection, over transport: inout Transport) -> Progress {
        var reads = 0
        while transport.flush(connection) {
            switch connection.phase {
            case .working, .closing: return .done
            case .streaming:
                streaming.readOn(connection, over: &transport)
                if connection.phase == .closing { continue }
            case .lingering, .head, .body: break
            }
            if connection.hasUnparsedInput {
                consumeBuffered(connection, over: &transport)
                continue
            }
            guard connection.isReadable else {
                if transport.isDraining, connection.phase == .head, connection.buffered.isEmpty { transport.close(connection) }
                return .done
            }
            guard reads < 16 else { return .hasMore }
            reads += 1
            switch transport.read(connection) {
            case .bytes(let bytes): receive(bytes, connection, over: &transport)
            case .nothing: break
            case .ended: transport.close(connection)
            }
        }
        return .done
    }

    private mutating func receive(_ bytes: UnsafeBufferPointer<UInt8>, _ connection: Connection, over transport: inout Transport) {
        guard connection.buffered.isEmpty else {
            connection.buffer(bytes)
            return consumeBuffered(connection, over: &transport)
        }
        let used = consume(bytes.span, for: connection, over: &transport)
        if used < bytes.count { connection.buffered = Array(bytes[used...]) }
    }

    private mutating func consumeBuffered(_ connection: Connection, over transport: inout Transport) {
        let buffered = connection.buffered
        connection.buffered = []
        let used = consume(buffered.span, for: connection, over: &transport)
        if used == 0 {
            connection.buffered = buffered
        } else if used < buffered.count {
            connection.buffered = Array(buffered[used...])
        }
    }

    // MARK: From bytes to requests

    /// Answers as many complete requests as the output has room for.
    /// - Returns: the number of bytes consumed.
    private mutating func consume(_ bytes: Span<UInt8>, for connection: Connection, over transport: inout Transport) -> Int {
        var offset = 0
        if let begun = connection.parser {
            parser = begun
            connection.parser = nil
        } else {
            parser.reset()
        }
        connection.hasUnparsedInput = false
        while offset < bytes.count {
            switch connection.phase {
            case .head:
                guard !transport.output.isFull, !connection.hasPending else {
                    connection.hasUnparsedInput = true
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
                connection.hasUnparsedInput = true
                return offset
            case .streaming, .closing, .lingering:
                connection.lingers = true
                return bytes.count
            }
        }
        return offset
    }

    private mutating func keepParser(_ connection: Connection, _ rest: Span<UInt8>, over transport: inout Transport) {
        connection.parser = parser
        parser = RequestParser(limits: configuration.limits)
        let isBlankLine = rest.count <= 2 && rest[0] == 0x0D  // RFC 9112 2.2: the request has not begun
        if connection.timeout != .head, !isBlankLine { transport.startTimeout(of: connection, for: .head) }
    }

    /// Answers the request whose head was parsed, or begins to read its body.
    /// - Returns: the number of bytes of an ignored body that were skipped.
    private func begin(_ bytes: Span<UInt8>, bodyAt: Int, _ connection: Connection, over transport: inout Transport) -> Int {
        let isCacheable =
            parser.head.framing == .none && !parser.head.repeatsKnownField && !parser.head.hasIfMatch
            && (parser.head.method == .get || parser.head.method == .head)
        if isCacheable, let answer = connection.cache?.answer(to: parser.head, bytes) {
            deliver(answer, bytes, connection, over: &transport)
            return 0
        }
        var cacheDecision: RouteDecision?
        if isCacheable, let resolution = connection.cache?.resolve(parser.head, bytes) {
            switch resolution {
            case .answer(let answer):
                deliver(answer, bytes, connection, over: &transport)
                return 0
            case .decision(let decision): cacheDecision = decision
            }
        }
        let head = parser.head
        let id = proxyID(head, bytes, of: connection).map { bytes.text($0) } ?? configuration.newRequestID()
        let request: Request
        do throws(RequestFailure) {
            request = try Request(
                head, bytes, id: id, peerAddress: connection.peerAddress, proxies: configuration.proxies)
        } catch {
            responder.refuse(connection, error, method: head.method, id: id, over: &transport)
            return 0
        }
        let decision = cacheDecision ?? connection.handler.route(request)
        let exchange = Exchange(request, decision, head, reservation: shared.bodyReservation(for: decision), startedAt: transport.now)
        connection.exchange = exchange
        switch decision.body {
        case .ignored:
            let skipped = exchange.skipBody(available: bytes.count &- bodyAt)
            if skipped == nil { connection.lingers = true }
            dispatch(connection, exchange, over: &transport)
            return skipped ?? 0
        case .upTo(let limit):
            startBody(head, limit: limit, hasBegun: bytes.count > bodyAt, connection, exchange, over: &transport)
            return 0
        }
    }

    /// Answers the parsed request from the cache.
    @inline(__always)
    private func deliver(_ answer: PreparedAnswer, _ bytes: Span<UInt8>, _ connection: Connection, over transport: inout Transport) {
        let id = proxyID(parser.head, bytes, of: connection)
        responder.deliver(answer, to: parser.head, bytes, id: id, of: connection, over: &transport)
    }

    /// The position of the `X-Request-ID` from a trusted proxy; nil if the request has no acceptable id.
    @inline(__always)
    private func proxyID(_ head: borrowing RequestHead, _ bytes: Span<UInt8>, of connection: Connection) -> Range<Int>? {
        guard let id = head.requestID, !configuration.proxies.blocks.isEmpty, isFromProxy(connection),
            RequestID.isAcceptable(bytes.extracting(id))
        else { return nil }
        return id
    }

    private func isFromProxy(_ connection: Connection) -> Bool {
        if let known = connection.isFromProxy { return known }
        let found = configuration.proxies.contains(connection.peerAddress)
        connection.isFromProxy = found
        return found
    }

    // MARK: Bodies

    /// Begins to read the body. If the body may be large, or the client waits for `100 Continue`, a worker checks the head first.
    private func startBody(
        _ head: RequestHead, limit: Int, hasBegun: Bool, _ connection: Connection, _ exchange: Exchange, over transport: inout Transport
    ) {
        guard head.framing != .none else { return dispatch(connection, exchange, over: &transport) }
        exchange.expectBody(head, limit: limit, hasBegun: hasBegun, limits: configuration.limits)
        guard exchange.needsCheck else { return readBody(connection, exchange, over: &transport) }
        connection.phase = .working
        transport.startTimeout(of: connection, for: .none)
        let (request, admit, token) = (exchange.request, exchange.decision.admit, connection.token)
        let isSubmitted = shared.workers.submit { [mailbox] in
            mailbox.post(.checked(admit(request), connection: token))
        }
        if !isSubmitted { responder.refuse(connection, .overloaded, over: &transport) }
    }

    /// Reads the body after the head was checked, or sends the refusal and closes the connection.
    func proceed(_ connection: Connection, _ admission: Admission, over transport: inout Transport) {
        guard let exchange = connection.exchange else { return }
        switch admission {
        case .admitted(let respond):
            exchange.admit(respond)
            readBody(connection, exchange, over: &transport)
        case .refused(var refusal):
            refusal.closesConnection = true
            responder.deliver(refusal, to: connection, over: &transport)
        }
    }

    private func readBody(_ connection: Connection, _ exchange: Exchange, over transport: inout Transport) {
        guard case .upTo(let limit) = exchange.decision.body else { return }
        guard !exchange.isTooLarge else { return responder.refuse(connection, .contentTooLarge(limit: limit), over: &transport) }
        guard exchange.reserveMemory() else { return responder.refuse(connection, .overloaded, over: &transport) }
        connection.phase = .body
        transport.startTimeout(of: connection, for: .body)
        if exchange.expectsContinue, connection.buffered.isEmpty { transport.output.appendContinue() }
    }

    private func receiveBody(_ bytes: Span<UInt8>, from offset: inout Int, _ connection: Connection, over transport: inout Transport) {
        guard let exchange = connection.exchange else {
            return responder.refuse(connection, .badRequest("The body cannot be read."), over: &transport)
        }
        switch exchange.receive(bytes, from: &offset) {
        case .needsMore: break
        case .progress: transport.startTimeout(of: connection, for: .body)
        case .complete: dispatch(connection, exchange, over: &transport)
        case .refused(let failure): responder.refuse(connection, failure, over: &transport)
        }
    }

    // MARK: Handlers

    /// Runs the handler where its route says.
    private func dispatch(_ connection: Connection, _ exchange: Exchange, over transport: inout Transport) {
        let request = exchange.takeRequest()
        switch exchange.decision.runs {
        case .onLoop: responder.deliver(exchange.respond(request), to: connection, over: &transport)
        case .onWorker: submit(request, exchange, connection, to: shared.workers, over: &transport)
        case .onWriter: submit(request, exchange, connection, to: shared.writers, over: &transport)
        case .onOpener: submit(request, exchange, connection, to: shared.openers, over: &transport)
        }
    }

    private func submit(
        _ request: Request, _ exchange: Exchange, _ connection: Connection, to pool: WorkerPool, over transport: inout Transport
    ) {
        connection.phase = .working
        transport.startTimeout(of: connection, for: .none)
        let respond = exchange.respond
        let job = HandlerJob(
            pool: pool, mailbox: mailbox, reservation: exchange.reservation, connection: connection.token, request: request.id)
        let isSubmitted = pool.submit { job.run { respond(request) } }
        if !isSubmitted { responder.deliver(job.overloaded, to: connection, over: &transport) }
    }
}

/// Runs a handler on the threads of a pool and posts its answer to the connection's loop.
private struct HandlerJob: Sendable {
    let pool: WorkerPool
    let mailbox: Mailbox
    let reservation: BodyReservation
    let connection: UInt64
    let request: String

    /// Runs the handler up to its end, or until it waits.
    func run(_ respond: () -> Response) {
        let response = respond()
        guard let delayed = response.delayed else { return finish(response) }
        delayed { rest in
            if !pool.submit({ run(rest) }) { finish(overloaded) }
        }
    }

    private func finish(_ response: Response) {
        reservation.release()
        if response.bodyCount >= HeapTrim.largeBody { HeapTrim.schedule() }
        mailbox.post(.answer(response, connection: connection))
    }

    var overloaded: Response {
        var response = Response.refusing(.overloaded, instance: request)
        response.closesConnection = false  // the request was read completely
        return response
    }
}
