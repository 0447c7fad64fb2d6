import Dispatch
import Glibc
import HTTP
import Synchronization

@testable import HTTPServer

/// Answers `/memory` from the loop's cache, `/loop` on the loop, everything else on a worker.
struct Echo: Handler {
    var name = "echo"
    var bodyLimit = 1 << 20
    let gate = Gate()
    let big = [UInt8](repeating: 0x61, count: 8 << 20)

    private final class Cache: AnswerCache {
        private let prepared = PreparedAnswer(fields: ["ETag": "\"1\""], validators: 1, body: Array("memory".utf8), route: "memory")

        func answer(to head: borrowing RequestHead, _ bytes: Span<UInt8>) -> PreparedAnswer? {
            guard bytes.extracting(head.target).isEqual(to: Array("/memory".utf8)) else { return nil }
            return prepared.conditional(on: head, bytes)
        }

        func resolve(_ head: borrowing RequestHead, _ bytes: Span<UInt8>) -> CacheResolution? {
            switch bytes.text(head.target) {
            case "/respelled": .answer(prepared.conditional(on: head, bytes))
            case "/rendered":
                .decision(
                    RouteDecision(name: "memory", body: .ignored, runs: .onWorker) { [prepared] request in
                        Response(request.fields.contains("If-None-Match") ? prepared.notModified : prepared)
                    })
            default: nil
            }
        }
    }

    func makeCache() -> (any AnswerCache)? { Cache() }

    func route(_ request: Request) -> RouteDecision {
        switch request.rawPath {
        case "/loop": RouteDecision(name: "loop", body: .upTo(bodyLimit), runs: .onLoop) { respond($0) }
        case "/nowhere": RouteDecision(name: nil, body: .ignored, runs: .onLoop) { _ in Response(.notFound) }
        case "/gate": RouteDecision(name: "gate", body: .upTo(10), runs: .onWorker) { gate.pass($0) }
        case "/write": RouteDecision(name: "write", body: .upTo(10), runs: .onWriter) { gate.pass($0) }
        case "/big": RouteDecision(name: "big", body: .upTo(10), runs: .onWorker) { _ in Response(.ok, body: big) }
        case "/delayed":
            RouteDecision(name: "d", body: .upTo(10), runs: .onWorker) { request in
                var response = Response(.internalServerError)
                response.delayed = { resume in gate.hold { resume { respond(request) } } }
                return response
            }
        case "/reserved":
            RouteDecision(name: "r", body: .upTo(10), runs: .onWorker) { _ in
                var response = Response(.ok, body: big)
                response.reservation = Reservation(gate)
                return response
            }
        case "/closed":
            RouteDecision(name: "c", body: .upTo(bodyLimit), runs: .onWorker, checks: .head) { _ in .refused(Response(.unauthorized)) }
        case "/open":
            RouteDecision(name: "o", body: .upTo(bodyLimit), runs: .onWorker, checks: .sender) { _ in .admitted(respond) }
        case "/checked":
            RouteDecision(name: "k", body: .upTo(bodyLimit), runs: .onWorker, checks: .head) { head in
                .admitted { request in
                    Response(.ok, body: Array("\(head.method) with \(head.body.count) bytes, then \(request.body.count)".utf8))
                }
            }
        default: RouteDecision(name: "worker", body: .upTo(bodyLimit), runs: .onWorker) { respond($0) }
        }
    }

    private func respond(_ request: Request) -> Response {
        Response(
            .ok, fields: ["X-Id": request.id, "X-Peer": request.sender.address],
            body: Array("\(name) \(request.method) ".utf8) + request.body)
    }
}

/// Blocks requests until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivals = DispatchSemaphore(value: 0)

    func pass(_ request: Request) -> Response {
        arrivals.signal()
        semaphore.wait()
        return Response(.ok, body: Array("passed".utf8))
    }

    private let held = Mutex<[@Sendable () -> Void]>([])

    /// Stores a function that `release` will call.
    func hold(_ function: @escaping @Sendable () -> Void) {
        held.withLock { $0.append(function) }
        arrivals.signal()
    }

    func release() {
        let functions = held.withLock { held in
            defer { held = [] }
            return held
        }
        for function in functions { function() }
    }

    /// How many reservations have ended.
    let ended = Atomic(0)

    func waitForArrival() { arrivals.wait() }
    func open() { semaphore.signal() }
}

/// Tells the gate when it ends.
private final class Reservation: Sendable {
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    deinit { gate.ended.add(1, ordering: .relaxed) }
}

/// A running server, which `deinit` drains.
final class RunningServer {
    let server: HTTPServer
    var addresses: [SocketAddress] { server.addresses }
    var address: SocketAddress { addresses[0] }

    init(
        _ handlers: [any Handler] = [Echo()], on host: String = "127.0.0.1:0", metrics: any ServerMetrics = NoMetrics(),
        _ configure: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws {
        var configuration = HTTPServer.Configuration()
        configuration.eventLoops = 2
        configuration.makeRequestID = { 0xabc }
        configure(&configuration)
        guard let address = SocketAddress(host) else { throw SystemError(call: "SocketAddress", errno: 0) }
        server = try HTTPServer(binding: handlers.map { _ in address }, configuration: configuration, metrics: metrics)
        try server.serve(handlers)
    }

    func client(receiveBuffer: Int32? = nil) throws -> Client { try Client(address, receiveBuffer: receiveBuffer) }

    deinit { server.drain(timeout: .milliseconds(200)) }
}

/// Waits until the condition holds, for at most a minute.
func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if condition() { return true }
        usleep(1000)
    }
    return condition()
}

func get(_ path: String, _ fields: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }

func post(_ path: String, _ body: String, _ fields: String = "") -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
}

final class CountingMetrics: ServerMetrics {
    struct Counts {
        var opened = 0
        var closed = 0
        var records: [String] = []
    }
    let counts = Mutex(Counts())
    func connectionOpened() { counts.withLock { $0.opened += 1 } }
    func connectionClosed() { counts.withLock { $0.closed += 1 } }
    func requestFinished(_ record: RequestRecord) {
        counts.withLock { $0.records.append("\(record.route ?? "-") \(record.method?.rawValue ?? "-") \(record.status.code)") }
    }
}
