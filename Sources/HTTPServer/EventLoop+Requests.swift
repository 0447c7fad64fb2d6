import HTTP

/// From bytes to requests.
extension EventLoop {
    /// Uses as many whole requests as may be answered now and returns how many bytes that were.
    func consume(_ bytes: Span<UInt8>, for connection: Connection) -> Int {
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
                guard output.count < Self.outputBound, connection.output.isEmpty else {
                    connection.mayParse = true
                    return offset
                }
                let rest = bytes.extracting(offset...)
                switch parser.parse(rest) {
                case .needsMore:
                    keepParser(connection, rest)
                    return offset
                case .refused(let failure):
                    refuse(connection, failure, method: parser.head.method)
                    return bytes.count
                case .head(let count):
                    offset &+= count
                    offset &+= begin(rest, bodyAt: count, connection)
                    parser.reset()
                }
            case .body:
                receiveBody(bytes, from: &offset, connection)
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

    private func keepParser(_ connection: Connection, _ rest: Span<UInt8>) {
        connection.parser = parser
        parser = RequestParser(limits: configuration.limits)
        let isBlankLine = rest.count <= 2 && rest[0] == 0x0D  // not yet the first byte of a request
        if connection.wait != .head, !isBlankLine { wait(connection, for: .head, timeouts.head) }
    }

    /// Answers the request whose head was parsed, or goes on to its body. Returns how many bytes of an ignored body were passed.
    private func begin(_ bytes: Span<UInt8>, bodyAt: Int, _ connection: Connection) -> Int {
        if parser.head.framing == .none, !parser.head.repeatsKnownField, !parser.head.hasIfMatch,
            parser.head.method == .get || parser.head.method == .head,
            let answer = connection.memory?.answer(to: parser.head, bytes)
        {
            deliver(answer, to: connection)
            return 0
        }
        let head = parser.head
        let request: Request
        let id = makeRequestID()
        do throws(RequestFailure) {
            request = try Request(head, bytes, id: id, peerAddress: connection.peerAddress)
        } catch {
            refuse(connection, error, method: head.method)
            return 0
        }
        let decision = connection.handler.route(request)
        let exchange = Exchange(request, decision, room: shared.room(for: decision), startedAt: now, closes: !head.keepsAlive)
        connection.exchange = exchange
        switch decision.body {
        case .ignored:
            return passBody(head.framing, available: bytes.count &- bodyAt, connection, exchange)
        case .upTo(let limit):
            startBody(head, limit: limit, hasBegun: bytes.count > bodyAt, connection, exchange)
            return 0
        }
    }

    private func passBody(_ framing: BodyFraming, available: Int, _ connection: Connection, _ exchange: Exchange) -> Int {
        var passed = 0
        if case .length(let length) = framing, length <= available {
            passed = length
        } else if framing != .none {
            exchange.closes = true
            connection.lingers = true
        }
        dispatch(connection, exchange, exchange.decision.respond)
        return passed
    }

    func dispatch(_ connection: Connection, _ exchange: Exchange, _ respond: @escaping @Sendable (Request) -> Response) {
        let request = exchange.request
        exchange.request.body = []
        switch exchange.decision.runs {
        case .onLoop:
            deliver(respond(request), to: connection)
        case .onWorker:
            submit(request, exchange.room, respond, connection, to: shared.workers)
        case .onWriter:
            submit(request, exchange.room, respond, connection, to: shared.writers)
        }
    }

    private func submit(
        _ request: Request, _ room: BodyRoom, _ respond: @escaping @Sendable (Request) -> Response, _ connection: Connection,
        to pool: WorkerPool
    ) {
        connection.phase = .working
        waitForNothing(connection)
        let token = connection.token
        let isTaken = pool.submit { [mailbox] in
            let response = respond(request)
            room.leave()
            mailbox.post(.answer(response, connection: token))
        }
        guard !isTaken else { return }
        var response = Response.refusing(.overloaded, instance: request.id)
        response.closesConnection = false  // the request was read to its end
        deliver(response, to: connection)
    }

    func makeRequestID() -> String {
        let digits = String(configuration.makeRequestID(), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
