import HTTP

/// From the end of a head to the end of its body.
extension EventLoop {
    /// Reads the body; one that may be large, or that the client keeps back, only once it is known that it may be sent.
    func startBody(_ head: RequestHead, limit: Int, hasBegun: Bool, _ connection: Connection, _ exchange: Exchange) {
        guard head.framing != .none else { return dispatch(connection, exchange, exchange.decision.respond) }
        exchange.framing = head.framing
        exchange.expectsContinue = head.expectsContinue && !hasBegun
        exchange.reader = try? BodyReader(head.framing, limit: limit, limits: configuration.limits)
        guard exchange.expectsContinue || exchange.reader == nil || BodyRoom.isNeeded(for: head.framing),
            let admission = exchange.decision.admission
        else { return admit(connection, unless: nil) }
        connection.phase = .working
        waitForNothing(connection)
        let (request, token) = (exchange.request, connection.token)
        let isTaken = shared.workers.submit { [mailbox] in
            mailbox.post(.admission(admission(request), connection: token))
        }
        if !isTaken { refuse(connection, .overloaded) }
    }

    /// Goes on to the body, or answers the refusal without it.
    func admit(_ connection: Connection, unless refusal: Response?) {
        guard let exchange = connection.exchange, case .upTo(let limit) = exchange.decision.body else { return }
        if var refusal {
            refusal.closesConnection = true
            return deliver(refusal, to: connection)
        }
        guard exchange.reader != nil else { return refuse(connection, .contentTooLarge(limit: limit)) }
        guard exchange.room.reserve(exchange.framing) else { return refuse(connection, .overloaded) }
        connection.phase = .body
        wait(connection, for: .body, timeouts.body)
        if exchange.expectsContinue, connection.held.isEmpty { output.append(ResponseEncoder.continueLine) }
    }

    func receiveBody(_ bytes: Span<UInt8>, from offset: inout Int, _ connection: Connection) {
        guard let exchange = connection.exchange, var reader = exchange.reader else {
            return refuse(connection, .badRequest("There is no body to read."))
        }
        exchange.reader = nil  // so that the body is not shared while it grows
        let outcome = reader.receive(bytes, from: &offset)
        guard exchange.room.grow(to: reader.body.count) else { return refuse(connection, .overloaded) }
        switch outcome {
        case .needsMore:
            if reader.body.count &- exchange.bodyMark >= 1 << 20 {
                exchange.bodyMark = reader.body.count
                wait(connection, for: .body, timeouts.body)
            }
            exchange.reader = reader
        case .complete:
            exchange.request.body = reader.body
            dispatch(connection, exchange, exchange.decision.respond)
        case .refused(let failure):
            refuse(connection, failure)
        }
    }
}
