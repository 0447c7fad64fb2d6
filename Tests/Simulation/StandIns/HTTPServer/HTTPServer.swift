import Glibc
import HTTP
import Platform
import SimulationKernel

/// Stands in for the product's server: no sockets, but the same order of events. A loop asks its cache before it makes a request, routes
/// on its own thread, and passes work to the same pools. Streams belong to a loop.
package final class HTTPServer: Sendable {
    /// The running servers by process.
    nonisolated(unsafe) package static var running: [Int: HTTPServer] = [:]

    package let addresses: [SocketAddress]
    package let configuration: Configuration
    private let metrics: any ServerMetrics
    private let workers: WorkerPool
    private let writers: WorkerPool
    private let openers: WorkerPool
    nonisolated(unsafe) private var loops: [Loop] = []
    nonisolated(unsafe) private var accepts = false
    nonisolated(unsafe) fileprivate var inFlight = 0
    nonisolated(unsafe) fileprivate var streams = 0
    fileprivate let idle = WaitQueue()

    package init(
        binding addresses: [SocketAddress], configuration: Configuration = Configuration(), metrics: any ServerMetrics = NoMetrics()
    ) throws(SystemError) {
        self.addresses = addresses
        self.configuration = configuration
        self.metrics = metrics
        workers = WorkerPool("lp-worker", width: configuration.workers, limit: configuration.workerQueueLimit, isBackground: false)
        writers = WorkerPool("lp-writer", width: 4 * configuration.workers, limit: configuration.workerQueueLimit, isBackground: true)
        openers = WorkerPool(
            "lp-opener", width: min(4, configuration.workers), limit: max(configuration.workerQueueLimit, configuration.maxStreams),
            isBackground: false)
    }

    package static func ceiling(of maxConnections: Int, within openFiles: Int) -> Int { maxConnections }

    package func serve(_ handlers: [any Handler]) throws(SystemError) {
        guard let handler = handlers.first else { return }
        for number in 0..<max(1, configuration.eventLoops) {
            let loop = Loop(of: self, handler, metrics: metrics.ofLoop())
            loops.append(loop)
            NamedThread.start("loop.\(number)", isBackground: false) { loop.run() }
        }
        accepts = true
        Self.running[Kernel.process] = self
    }

    package var openConnections: Int { inFlight + streams }
    package var maxConnections: Int { configuration.maxConnections }
    package var maxStreams: Int { configuration.maxStreams }
    package var openStreams: Int { streams }
    package func send(_ events: [StreamedEvent]) { post(.events(events)) }
    package func restartStreams() { post(.restart) }
    package func endStreamsWithoutAccess() { post(.endWithoutAccess) }
    package func trust(_ proxies: TrustedProxies) {}
    package func haveLoopsTurned() -> Bool { true }
    package var workerQueueDepth: Int { workers.depth + writers.depth + openers.depth }

    private func post(_ message: Loop.Message) {
        for loop in loops { loop.post(message) }
    }

    @discardableResult
    package func drain(timeout: Duration) -> Int {
        accepts = false
        Self.running[Kernel.process] = nil
        post(.drain)
        let end = Kernel.now + timeout.simulated
        while inFlight > 0, Kernel.now < end { Kernel.wait(in: idle, until: end, "drain") }
        return inFlight
    }

    /// Connects a client of the world; nil if the server does not accept.
    package func connect(from address: String, to number: Int) -> ClientConnection? {
        guard accepts, !loops.isEmpty else { return nil }
        return ClientConnection(address, loops[number % loops.count])
    }

    fileprivate func submit(_ place: Route.Place, _ job: @escaping @Sendable () -> Void) -> Bool {
        switch place {
        case .onLoop:
            job()
            return true
        case .onWorker: return workers.submit(job)
        case .onWriter: return writers.submit(job)
        case .onOpener: return openers.submit(job)
        }
    }
}

extension HTTPServer {
    /// As the product's.
    package struct Configuration: Sendable {
        package var eventLoops = 2
        package var workers = 4
        package var workerQueueLimit = 1024
        package var bodyBudget = 128 << 20
        package var maxConnections = 20_000
        package var maxConnectionsPerAddress = 0
        package var headerTimeout = Duration.seconds(10)
        package var bodyTimeout = Duration.seconds(30)
        package var idleTimeout = Duration.seconds(75)
        package var writeTimeout = Duration.seconds(30)
        package var lingerTimeout = Duration.seconds(2)
        package var maxStreams = 10_000
        package var maxStreamsPerAddress = 16
        package var streamHeartbeat = Duration.seconds(20)
        package var streamLifetime = Duration.seconds(30 * 60)
        package var limits = RequestLimits()
        package var proxies = TrustedProxies()
        package var makeRequestID: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

        package init() {}
    }
}

extension Duration {
    fileprivate var simulated: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 1 << 32) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    package let call: String
    package let errno: Int32
    package var description: String { "\(call): \(errno)" }
}

package enum StreamEnd: String, Sendable, CaseIterable {
    case client, slow, lifetime, drain, restart, access
}

/// What a client received.
package struct ClientAnswer: Sendable {
    package let status: Int
    package let fields: Fields
    package let body: [UInt8]
    /// Whether the loop's cache answered.
    package var isFromCache = false
}

/// One connection of a client of the world. One request at a time.
package final class ClientConnection: @unchecked Sendable {
    fileprivate let address: String
    fileprivate let loop: Loop
    fileprivate var answer: ClientAnswer?
    /// The bytes of a stream that the client has not taken.
    fileprivate var received: [UInt8] = []
    fileprivate var isEnded = false
    /// The peer is gone.
    private var isLost = false
    fileprivate let arrival = WaitQueue()
    fileprivate var stream: EventStream?
    fileprivate var position: Int64 = 0
    fileprivate var endsAt: Int64 = 0

    fileprivate init(_ address: String, _ loop: Loop) { (self.address, self.loop) = (address, loop) }

    /// Sends a request and waits for its answer.
    /// - Parameter end: in nanoseconds of the simulation.
    /// - Returns: nil if none came until `end`.
    package func request(_ head: String, _ body: [UInt8], until end: Int64) -> ClientAnswer? {
        answer = nil
        loop.post(.request(self, Array(head.utf8), body))
        while answer == nil, !isLost, Kernel.now < end { Kernel.wait(in: arrival, until: end, "answer") }
        return answer
    }

    /// The stream's bytes since the last call; nil after its end. Waits for some until `end`.
    package func receive(until end: Int64) -> [UInt8]? {
        while received.isEmpty, !isEnded, Kernel.now < end { Kernel.wait(in: arrival, until: end, "events") }
        if received.isEmpty, isEnded { return nil }
        defer { received = [] }
        return received
    }

    /// The server's process was killed.
    package func lose() {
        (isLost, isEnded) = (true, true)
        Kernel.wakeAll(arrival)
    }

    /// The client goes away.
    package func close() { loop.post(.closed(self)) }

    fileprivate func deliver(_ answer: ClientAnswer) {
        self.answer = answer
        Kernel.wakeAll(arrival)
    }

    fileprivate func deliver(_ bytes: [UInt8]) {
        received += bytes
        Kernel.wakeAll(arrival)
    }
}

/// One event loop: one thread that owns its cache and its streams.
private final class Loop: @unchecked Sendable {
    enum Message {
        case request(ClientConnection, [UInt8], [UInt8])
        case answer(ClientConnection, Response, HTTP.Method, String?, Int64, String)
        case portion(ClientConnection, EventStream?)
        case events([StreamedEvent])
        case restart, endWithoutAccess, drain
        case closed(ClientConnection)
    }

    private let server: HTTPServer
    private let handler: any Handler
    private let cache: (any AnswerCache)?
    private let metrics: any ServerMetrics
    private var mailbox: [Message] = []
    private let arrival = WaitQueue()
    private var streams: [ClientConnection] = []
    private var isDraining = false

    init(of server: HTTPServer, _ handler: any Handler, metrics: any ServerMetrics) {
        (self.server, self.handler, self.metrics) = (server, handler, metrics)
        cache = handler.makeCache()
    }

    func post(_ message: Message) {
        mailbox.append(message)
        Kernel.wakeAll(arrival)
        Kernel.point("mailbox")
    }

    func run() {
        while true {
            while mailbox.isEmpty {
                Kernel.wait(in: arrival, until: streams.map(\.endsAt).min(), "loop")
                for connection in streams where connection.endsAt <= Kernel.now { end(connection, .lifetime) }
            }
            handle(mailbox.removeFirst())
        }
    }

    private func handle(_ message: Message) {
        switch message {
        case .request(let connection, let bytes, let body): begin(connection, bytes, body)
        case .answer(let connection, let response, let method, let route, let startedAt, let id):
            finish(connection, response, method, route: route, startedAt: startedAt, id: id)
        case .portion(let connection, let stream):
            guard streams.contains(where: { $0 === connection }) else { return }
            if let stream { feed(stream, to: connection) } else { end(connection, .restart) }
        case .events(let events): broadcast(events)
        case .restart: for connection in streams { end(connection, .restart) }
        case .endWithoutAccess:
            for connection in streams {
                guard let farewell = connection.stream?.access?.farewell else { continue }
                connection.deliver(Array(farewell.utf8))
                end(connection, .access)
            }
        case .drain:
            isDraining = true
            for connection in streams { end(connection, .drain) }
        case .closed(let connection):
            if streams.contains(where: { $0 === connection }) { end(connection, .client) }
        }
    }

    private func begin(_ connection: ClientConnection, _ bytes: [UInt8], _ body: [UInt8]) {
        let startedAt = Kernel.now
        var parser = RequestParser(limits: server.configuration.limits)
        let outcome = parser.parse(bytes.span)
        guard case .head = outcome else {
            return connection.deliver(ClientAnswer(status: 400, fields: Fields(), body: []))
        }
        let head = parser.head
        if body.isEmpty, head.framing == .none, !head.repeatsKnownField, !head.hasIfMatch, head.method == .get || head.method == .head,
            let answer = cache?.answer(to: head, bytes.span)
        {
            return deliver(answer, head.method, to: connection)
        }
        var resolved: RouteDecision?
        if body.isEmpty, head.framing == .none, !head.repeatsKnownField, !head.hasIfMatch, head.method == .get || head.method == .head {
            switch cache?.resolve(head, bytes.span) {
            case .answer(let answer): return deliver(answer, head.method, to: connection)
            case .decision(let decision): resolved = decision
            case nil: break
            }
        }
        let digits = String(server.configuration.makeRequestID(), radix: 16)
        let id = String(repeating: "0", count: 16 - digits.utf8.count) + digits
        guard var request = try? Request(head, bytes.span, id: id, peerAddress: connection.address, proxies: server.configuration.proxies)
        else { return connection.deliver(ClientAnswer(status: 400, fields: Fields(), body: [])) }
        let decision = resolved ?? handler.route(request)
        request.body = body
        server.inFlight += 1
        let (method, route) = (request.method, decision.name)
        if case .onLoop = decision.runs {
            return finish(connection, decision.respond(to: request), method, route: route, startedAt: startedAt, id: id)
        }
        let job = Job(loop: self, connection: connection, place: decision.runs, method: method, route: route, startedAt: startedAt, id: id)
        if !server.submit(decision.runs, { [request] in job.run { decision.respond(to: request) } }) {
            finish(connection, job.overloaded, method, route: route, startedAt: startedAt, id: id)
        }
    }

    private func deliver(_ answer: PreparedAnswer, _ method: HTTP.Method, to connection: ClientConnection) {
        metrics.requestFinished(
            RequestRecord(
                route: answer.route, method: method, status: answer.status, nanoseconds: 1, id: nil, isFromCache: true, refusal: nil))
        let response = Response(answer).unpacked
        connection.deliver(
            ClientAnswer(
                status: response.status.code, fields: response.fields, body: method == .head ? [] : response.body, isFromCache: true))
    }

    private struct Job: Sendable {
        let loop: Loop
        let connection: ClientConnection
        let place: Route.Place
        let method: HTTP.Method
        let route: String?
        let startedAt: Int64
        let id: String

        func run(_ respond: () -> Response) {
            let response = respond()
            guard let delayed = response.delayed else { return finish(response) }
            delayed { rest in
                if !loop.server.submit(place, { run(rest) }) { finish(overloaded) }
            }
        }

        private func finish(_ response: Response) { loop.post(.answer(connection, response, method, route, startedAt, id)) }

        var overloaded: Response { Response.refusing(.overloaded, instance: id) }
    }

    private func finish(
        _ connection: ClientConnection, _ response: Response, _ method: HTTP.Method, route: String?, startedAt: Int64, id: String
    ) {
        server.inFlight -= 1
        Kernel.wakeAll(server.idle)
        metrics.requestFinished(
            RequestRecord(
                route: route, method: method, status: response.status, nanoseconds: UInt64(max(0, Kernel.now - startedAt)), id: id,
                isFromCache: false, refusal: response.refusal))
        let answer = response.unpacked
        connection.deliver(ClientAnswer(status: answer.status.code, fields: answer.fields, body: answer.body))
        if let stream = response.stream { open(stream, of: connection) }
    }

    // MARK: Streams

    private func open(_ stream: EventStream, of connection: ClientConnection) {
        server.streams += 1
        connection.stream = stream
        connection.endsAt = Kernel.now + server.configuration.streamLifetime.simulated
        streams.append(connection)
        if let farewell = stream.access?.farewell {
            connection.deliver(Array(farewell.utf8))
            return end(connection, .access)
        }
        feed(stream, to: connection)
        if isDraining { end(connection, .drain) }
    }

    private func feed(_ stream: EventStream, to connection: ClientConnection) {
        var bytes = stream.events
        connection.position = stream.position
        connection.stream = stream
        var isComplete = false
        if stream.isComplete, let (events, position) = stream.recent.events(after: stream.position) {
            for event in events where stream.topics.contains(event.topic) { bytes += event.text }
            connection.position = position
            isComplete = true
        }
        connection.deliver(bytes)
        guard !isComplete else { return }
        connection.position = .max
        let more = stream.more
        if !server.submit(.onOpener, { [self] in post(.portion(connection, more())) }) { end(connection, .restart) }
    }

    private func broadcast(_ events: [StreamedEvent]) {
        for connection in streams {
            guard let stream = connection.stream else { continue }
            for event in events where event.number > connection.position && connection.position != .max {
                if stream.topics.contains(event.topic) {
                    connection.deliver(event.text)
                    metrics.eventsStreamed(1)
                }
                connection.position = event.number
            }
        }
    }

    private func end(_ connection: ClientConnection, _ reason: StreamEnd) {
        streams.removeAll { $0 === connection }
        server.streams -= 1
        connection.stream = nil
        connection.isEnded = true
        metrics.streamEnded(reason)
        Kernel.wakeAll(connection.arrival)
    }
}
