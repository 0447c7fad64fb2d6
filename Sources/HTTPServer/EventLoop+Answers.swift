import HTTP

/// From answers to bytes.
extension EventLoop {
    /// Bodies up to this size are copied behind their head, so that both go in one write; larger ones are shared.
    private static let copyBound = 32 << 10

    /// Answers from memory the request that was just parsed.
    @inline(__always)
    func deliver(_ answer: PreparedAnswer, to connection: Connection) {
        let closes = !parser.head.keepsAlive || isDraining
        if parser.head.keepsAlive, closes { connection.lingers = true }
        let minorVersion = parser.head.minorVersion
        let isHead = parser.head.method == .head
        answer.appendHead(date: date.bytes, connection: .init(minorVersion: minorVersion, closes: closes), to: &output)
        if !isHead, !answer.isNotModified { append(answer.body, connection) }
        if shared.isMeasured {
            let taken = Clock.monotonic() &- now
            let method: Method = isHead ? .head : .get
            metrics.requestFinished(
                RequestRecord(route: answer.route, method: method, status: answer.status, nanoseconds: taken, id: nil, refusal: nil))
        }
        finish(connection, closes: closes)
    }

    /// Answers the request that the connection's exchange is about.
    func deliver(_ response: Response, to connection: Connection) {
        guard let exchange = connection.exchange else { return }
        connection.exchange = nil
        let request = exchange.request
        let closes = exchange.closes || response.closesConnection || isDraining
        if !exchange.closes, closes { connection.lingers = true }
        write(response, to: connection, method: request.method, minorVersion: request.minorVersion, closes: closes)
        record(response, route: exchange.decision.name, request.method, startedAt: exchange.startedAt, id: request.id)
        finish(connection, closes: closes)
    }

    /// Answers what cannot be read on, and closes. `method` is of a request that did not become an exchange, as far as it was read.
    func refuse(_ connection: Connection, _ failure: RequestFailure, method: Method = .get) {
        let exchange = connection.exchange
        connection.exchange = nil
        connection.parser = nil
        connection.lingers = true
        let id = exchange?.request.id ?? makeRequestID()
        let response = Response.refusing(failure, instance: id)
        write(response, to: connection, method: exchange?.request.method ?? method, minorVersion: 1, closes: true)
        record(response, route: exchange?.decision.name, exchange?.request.method, startedAt: exchange?.startedAt ?? now, id: id)
        finish(connection, closes: true)
    }

    private func write(_ response: Response, to connection: Connection, method: Method, minorVersion: Int, closes: Bool) {
        ResponseEncoder.appendHead(
            of: response, date: date.bytes, connection: .init(minorVersion: minorVersion, closes: closes), to: &output)
        if method != .head, !response.status.isBodiless { append(response.body[...], connection) }
    }

    @inline(__always)
    private func append(_ body: ArraySlice<UInt8>, _ connection: Connection) {
        if body.count <= Self.copyBound {
            body.withUnsafeBufferPointer { output.append(contentsOf: $0) }
        } else {
            connection.output.append(output[...])
            output.removeAll(keepingCapacity: true)
            connection.output.append(body)
            wait(connection, for: .write, timeouts.write)
        }
    }

    @inline(__always)
    private func finish(_ connection: Connection, closes: Bool) {
        connection.phase = closes ? .closing : .head
        wait(connection, for: closes ? .write : .idle, closes ? timeouts.write : timeouts.idle)
    }

    private func record(_ response: Response, route: String?, _ method: Method?, startedAt: UInt64, id: String) {
        guard shared.isMeasured else { return }
        let finishedAt = Clock.monotonic()
        let taken = finishedAt > startedAt ? finishedAt &- startedAt : 0
        metrics.requestFinished(
            RequestRecord(
                route: route, method: method, status: response.status, nanoseconds: taken, id: id, refusal: response.refusal))
    }
}
