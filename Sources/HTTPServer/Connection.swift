import HTTP

/// One client's connection. Everything here is touched on its event loop's queue only; what waits is what it has sent.
final class Connection: @unchecked Sendable {
    /// Input that is kept while a request is in work; beyond it, reading stops.
    private static let inboxLimit = 64 << 10

    enum Phase {
        /// Between requests, or within a request's head.
        case head
        case body(IncomingRequest)
        /// A worker has the request.
        case working
        /// An answer that ends the connection was given; what still comes is dropped.
        case lingering
        case closed
    }

    let socket: Descriptor
    let application: Application
    /// A cycle while the connection is open; `close` ends it.
    let loop: EventLoop
    private let address: SocketAddress
    private(set) var phase = Phase.head
    /// What has come and is not taken yet.
    private var inbox: [UInt8] = []
    /// The parser of a head that has come in part.
    private var parser: RequestParser?
    /// What the socket did not take at once.
    private var outbox: [UInt8] = []
    private var outboxSent = 0
    private var hasEnded = false
    private var closesAfterAnswer = false
    private var interest: Readiness.Events = .readable
    private(set) var deadline: UInt64
    private var lingersSince: UInt64?

    init(_ socket: consuming Descriptor, _ address: SocketAddress, _ application: Application, on loop: EventLoop) {
        self.socket = socket
        self.address = address
        self.application = application
        self.loop = loop
        deadline = loop.now &+ loop.deadlines.header
    }

    var isIdle: Bool {
        guard case .head = phase else { return false }
        return inbox.isEmpty && outbox.isEmpty
    }

    func ready(_ events: Readiness.Events) {
        if events.contains(.gone) { return close() }
        if events.contains(.writable) { sendOutbox() }
        if events.contains(.readable) { receive() }
        settle()
    }

    /// The server stops: what has begun is answered, nothing new is begun.
    func drain() {
        closesAfterAnswer = true
        if isIdle { close() }
    }

    func close() {
        if case .closed = phase { return }
        phase = .closed
        loop.forget(self)
    }
}

// MARK: - Input

extension Connection {
    private func receive() {
        switch Sockets.receive(socket.number, into: loop.input) {
        case .bytes(let count):
            let bytes = UnsafeRawBufferPointer(rebasing: loop.input[..<count])
            if case .lingering = phase { return }
            guard inbox.isEmpty else {
                inbox.append(contentsOf: bytes)
                return takeInbox()
            }
            let taken = take(bytes)
            if taken < count { inbox.append(contentsOf: bytes[taken...]) }
        case .wouldBlock: break
        case .end: hasEnded = true
        case .failed: close()
        }
    }

    private func takeInbox() {
        let taken = inbox.withUnsafeBytes { take($0) }
        if taken == inbox.count { inbox = [] } else { inbox.removeFirst(taken) }
    }

    /// - Returns: how many bytes from the front were taken.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while taken < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            switch phase {
            case .head:
                // A reader that does not read gets no more answers.
                guard outbox.isEmpty, let length = takeHead(rest) else { return taken }
                taken += length
            case .body(var incoming):
                phase = .working
                let (count, result) = incoming.decoder.take(rest)
                taken += count
                continueBody(incoming, result)
            case .working:
                return taken
            case .lingering, .closed:
                return bytes.count
            }
        }
        return taken
    }

    /// - Returns: the head's length, nil when it is not complete.
    private func takeHead(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard var parser else { return takeHead(bytes, &loop.parser, isResumed: false) }
        self.parser = nil
        return takeHead(bytes, &parser, isResumed: true)
    }

    private func takeHead(_ bytes: UnsafeRawBufferPointer, _ parser: inout RequestParser, isResumed: Bool) -> Int? {
        switch parser.parse(bytes) {
        case .head:
            defer { parser.reset() }
            begin(parser.head, bytes)
            return parser.head.length
        case .needsMore:
            if !isResumed { deadline = loop.now &+ loop.deadlines.header }
            self.parser = parser
            if !isResumed { parser = RequestParser(limits: loop.limits) }
            return nil
        case .refused(let failure):
            parser.reset()
            refuse(failure)
            return bytes.count
        }
    }
}

// MARK: - Requests

extension Connection {
    private func begin(_ head: RequestHead, _ bytes: UnsafeRawBufferPointer) {
        let start = loop.tick()
        if head.keepsAlive, head.minorVersion == 1, head.framing == .none, !closesAfterAnswer,
            let prepared = application.remembered(head, bytes)
        {
            let status = loop.append(prepared, for: head, in: bytes)
            application.observer.remembered(status: status, nanoseconds: monotonicNanoseconds() &- start)
            deadline = start &+ loop.deadlines.idle
            return
        }
        guard let request = head.request(in: bytes, id: loop.makeRequestID(), peerAddress: address.host) else {
            return refuse(RequestFailure(.badRequest, "bad-request", "The request target's escapes are not UTF-8 text."))
        }
        let match = application.router.match(request.method, request.path)
        if !head.keepsAlive { closesAfterAnswer = true }
        let limit = if case .route(let route, _) = match { route.bodyLimit } else { 1 << 20 }
        do throws(RequestFailure) {
            let incoming = IncomingRequest(
                request: request, match: match, start: start, isOld: head.minorVersion == 0, isHead: request.method == .head,
                decoder: try BodyDecoder(head.framing, limit: limit))
            guard head.framing != .none else { return respond(to: incoming) }
            if head.expectsContinue, bytes.count == head.length { loop.append("HTTP/1.1 100 Continue\r\n\r\n") }
            deadline = start &+ loop.deadlines.body
            phase = .body(incoming)
        } catch {
            refuse(error, request)
        }
    }

    private func continueBody(_ incoming: IncomingRequest, _ result: BodyDecoder.Result) {
        switch result {
        case .needsMore: phase = .body(incoming)
        case .complete:
            phase = .head
            var complete = incoming
            complete.request.body = incoming.decoder.body
            respond(to: complete)
        case .refused(let failure): refuse(failure, incoming.request)
        }
    }

    private func respond(to incoming: IncomingRequest) {
        guard case .route(let route, let parameters) = incoming.match else {
            return answer(incoming, application.unrouted(incoming.match, incoming.request))
        }
        switch route.place {
        case .onLoop:
            answer(incoming, route.handler(incoming.request, parameters))
        case .onWorker:
            phase = .working
            deadline = .max
            let isTaken = loop.workers.submit {
                let response = route.handler(incoming.request, parameters)
                self.loop.queue.async { self.finish(incoming, response) }
            }
            if !isTaken {
                phase = .head
                answer(incoming, RequestFailure.overloaded.response(id: incoming.request.id))
            }
        }
    }

    /// A worker is done: back on the loop, with whatever came meanwhile.
    private func finish(_ incoming: IncomingRequest, _ response: Response) {
        guard case .working = phase else { return }
        loop.tick()
        phase = .head
        answer(incoming, response)
        if !inbox.isEmpty { takeInbox() }
        settle()
    }

    private func answer(_ incoming: IncomingRequest, _ response: Response) {
        let keepsAlive = !closesAfterAnswer
        loop.append(response, keepsAlive: keepsAlive, isOldClient: incoming.isOld, withoutBody: incoming.isHead)
        application.observer.answered(
            incoming.request, route: incoming.routeName, status: response.status.code,
            nanoseconds: monotonicNanoseconds() &- incoming.start)
        deadline = loop.now &+ loop.deadlines.idle
        if !keepsAlive { phase = .lingering }
    }

    /// What cannot be read has no end that both sides agree on: the connection ends with it.
    private func refuse(_ failure: RequestFailure, _ request: Request? = nil) {
        let response = failure.response(id: request?.id ?? loop.makeRequestID())
        loop.append(response, keepsAlive: false, isOldClient: false, withoutBody: request?.method == .head)
        application.observer.refused(status: failure.status.code, detail: failure.detail, peerAddress: address.host)
        phase = .lingering
    }

    /// A deadline has passed.
    func expire() {
        switch phase {
        case .head where outbox.isEmpty && parser != nil, .body:
            refuse(.timeout)
            settle()
        case .head, .lingering: close()
        case .working, .closed: break
        }
    }
}

// MARK: - Output

extension Connection {
    /// Sends what was appended to the loop's output, and looks where the connection stands.
    private func settle() {
        if case .closed = phase { return loop.output.removeAll(keepingCapacity: true) }
        flush()
        while outbox.isEmpty, !inbox.isEmpty, parser == nil, case .head = phase {
            takeInbox()
            flush()
        }
        if outbox.isEmpty { settleEnd() }
        if case .closed = phase { return }
        updateInterest()
    }

    private func settleEnd() {
        switch phase {
        case .lingering:
            if hasEnded { return close() }
            guard lingersSince == nil else { return }
            Sockets.finish(socket.number)
            lingersSince = loop.now
            deadline = loop.now &+ loop.deadlines.linger
        case .head where hasEnded, .body where hasEnded: close()
        case .head, .body, .working, .closed: break
        }
    }

    private func flush() {
        guard !loop.output.isEmpty else { return }
        defer { loop.output.removeAll(keepingCapacity: true) }
        guard outbox.isEmpty else {
            outbox.append(contentsOf: loop.output)
            return
        }
        guard let sent = loop.output.withUnsafeBytes({ Sockets.send(socket.number, $0) }) else { return close() }
        if sent < loop.output.count {
            outbox = Array(loop.output[sent...])
            outboxSent = 0
            deadline = loop.now &+ loop.deadlines.write
        }
    }

    private func sendOutbox() {
        guard !outbox.isEmpty else { return }
        let sent = outbox.withUnsafeBytes { bytes in
            Sockets.send(socket.number, UnsafeRawBufferPointer(rebasing: bytes[outboxSent...]))
        }
        guard let sent else { return close() }
        outboxSent += sent
        if sent > 0 { deadline = loop.now &+ loop.deadlines.write }
        guard outboxSent == outbox.count else { return }
        outbox = []
        outboxSent = 0
        deadline = loop.now &+ loop.deadlines.idle
    }

    private func updateInterest() {
        var wanted: Readiness.Events = []
        if !outbox.isEmpty { wanted.insert(.writable) }
        let isFull = inbox.count >= Self.inboxLimit && parser == nil
        if !hasEnded, outbox.isEmpty, !isFull { wanted.insert(.readable) }
        guard wanted != interest else { return }
        interest = wanted
        loop.watch(self, wanted)
    }
}

/// A request on its way: its head is read, its body perhaps not.
struct IncomingRequest: Sendable {
    var request: Request
    let match: Router.Match
    /// When its head was complete, in monotonic nanoseconds.
    let start: UInt64
    let isOld: Bool
    let isHead: Bool
    var decoder: BodyDecoder

    var routeName: String? {
        if case .route(let route, _) = match { return route.name }
        return nil
    }
}
