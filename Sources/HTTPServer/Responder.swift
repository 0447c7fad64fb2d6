import HTTP

/// Appends answers to the output and records them in the metrics. Only the connection's loop may call it.
struct Responder {
    private let configuration: HTTPServer.Configuration
    private let streaming: Streaming
    private let metrics: any ServerMetrics
    /// False with `NoMetrics`; the clock is then not read.
    private let isMeasured: Bool

    init(_ configuration: HTTPServer.Configuration, _ streaming: Streaming, metrics: any ServerMetrics, isMeasured: Bool) {
        self.configuration = configuration
        self.streaming = streaming
        self.metrics = metrics
        self.isMeasured = isMeasured
    }

    /// Answers the request with that head from the loop's cache.
    /// - Parameter id: see `AnswerBuffer.appendHead`.
    @inline(__always)
    func deliver(
        _ answer: PreparedAnswer, to head: borrowing RequestHead, _ request: Span<UInt8>, id: Range<Int>?, of connection: Connection,
        over transport: inout Transport
    ) {
        let closes = !head.keepsAlive || transport.isDraining
        if head.keepsAlive, closes { connection.lingers = true }
        let isHead = head.method == .head
        transport.output.appendHead(
            of: answer, id: id, in: request, connection: .init(minorVersion: head.minorVersion, closes: closes))
        if !isHead, !answer.isNotModified { transport.append(answer.body, to: connection) }
        if isMeasured {
            let text = metrics.needsCacheHitIDs ? transport.output.lastID : nil
            metrics.requestFinished(
                RequestRecord(
                    route: answer.route, method: isHead ? .head : .get, status: answer.status,
                    nanoseconds: Clock.monotonic() &- transport.now, id: text, isFromCache: true, refusal: nil))
        }
        finish(connection, closes: closes, over: &transport)
    }

    /// Answers the request of the connection's exchange.
    func deliver(_ response: Response, to connection: Connection, over transport: inout Transport) {
        guard let exchange = connection.exchange else { return }
        if let stream = response.stream, exchange.request.method != .head {
            return open(stream, response, for: exchange, of: connection, over: &transport)
        }
        connection.exchange = nil
        let request = exchange.request
        let closes = exchange.closes || response.closesConnection || transport.isDraining
        if !exchange.closes, closes { connection.lingers = true }
        write(
            response, id: request.id, to: connection, method: request.method, minorVersion: request.minorVersion, closes: closes,
            over: &transport)
        record(response, of: exchange)
        finish(connection, closes: closes, over: &transport)
    }

    /// Sends the head and the first events of a stream.
    private func open(
        _ stream: EventStream, _ response: Response, for exchange: Exchange, of connection: Connection, over transport: inout Transport
    ) {
        let request = exchange.request
        switch streaming.admit(request.sender) {
        case .refused(let failure):
            var refusal = Response.refusing(
                failure, instance: request.id, about: Refusal.Subject(address: request.sender.address), retryAfter: Self.streamRetry)
            refusal.closesConnection = false  // the request was read completely
            deliver(refusal, to: connection, over: &transport)
        case .admitted(let network):
            connection.exchange = nil
            let isChunked = request.minorVersion > 0
            transport.output.appendHead(
                of: response, id: request.id, connection: .close, framing: isChunked ? .chunked : .untilClose)
            record(response, of: exchange)
            streaming.open(stream, of: connection, isChunked: isChunked, network: network, over: &transport)
        }
    }

    /// `Retry-After` for a stream above the limit, in seconds.
    private static let streamRetry = 5

    /// Rejects a request after which the input cannot be read further, and closes the connection.
    /// - Parameters:
    ///   - method: the parsed method of a request without an exchange.
    ///   - id: the id of a request without an exchange.
    func refuse(
        _ connection: Connection, _ failure: RequestFailure, method: Method = .get, id: String? = nil, over transport: inout Transport
    ) {
        let exchange = connection.exchange
        connection.exchange = nil
        connection.parser = nil
        connection.lingers = true
        let id = exchange?.request.id ?? id ?? configuration.newRequestID()
        let response = Response.refusing(failure, instance: id)
        write(
            response, id: id, to: connection, method: exchange?.request.method ?? method, minorVersion: 1, closes: true, over: &transport)
        if let exchange {
            record(response, of: exchange)
        } else {
            record(response, route: nil, nil, startedAt: transport.now, id: id, traceParent: nil)
        }
        finish(connection, closes: true, over: &transport)
    }

    private func write(
        _ response: Response, id: String, to connection: Connection, method: Method, minorVersion: Int, closes: Bool,
        over transport: inout Transport
    ) {
        let field = ResponseEncoder.ConnectionField(minorVersion: minorVersion, closes: closes)
        if let prepared = response.prepared {
            transport.output.appendHead(of: prepared, id: id, connection: field)
            if method != .head, !prepared.isNotModified { transport.append(prepared.body, to: connection) }
            return
        }
        transport.output.appendHead(
            of: response, id: id, connection: field, framing: response.stream == nil ? .length : .untilClose)
        guard method != .head, !response.status.isBodiless else { return }
        transport.append(response.body[...], to: connection)
        if let reservation = response.reservation { connection.keepUntilSent(reservation) }
    }

    @inline(__always)
    private func finish(_ connection: Connection, closes: Bool, over transport: inout Transport) {
        connection.phase = closes ? .closing : .head
        transport.startTimeout(of: connection, for: closes ? .write : .idle)
    }

    private func record(_ response: Response, of exchange: Exchange) {
        let request = exchange.request
        record(
            response, route: exchange.decision.name, request.method, startedAt: exchange.startedAt, id: request.id,
            traceParent: request.traceParent)
    }

    private func record(
        _ response: Response, route: String?, _ method: Method?, startedAt: UInt64, id: String, traceParent: String?
    ) {
        guard isMeasured else { return }
        let finishedAt = Clock.monotonic()
        metrics.requestFinished(
            RequestRecord(
                route: route, method: method, status: response.status, nanoseconds: finishedAt > startedAt ? finishedAt &- startedAt : 0,
                id: id, traceParent: traceParent, isFromCache: false, refusal: response.refusal))
    }
}
