import Foundation
import Logging
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Webhooks

/// A dispatcher with its queue, which delivers to sinks on this machine.
final class Post: Sendable {
    static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let queue = MemoryQueue()
    let dispatcher: Dispatcher
    let reports = Mutex<[AttemptReport]>([])

    init(
        _ schedule: String = "0s,30ms,30ms", allowing: String = "127.0.0.1/32",
        change: (inout Dispatcher.Configuration) -> Void = { _ in },
        lookUp: @escaping @Sendable (String) -> LookupResult = LookupResult.system
    ) throws {
        var configuration = Dispatcher.Configuration(version: "1.2.3")
        configuration.schedule = try RetrySchedule(parsing: schedule)
        configuration.addressGuard = try AddressGuard(allowing: allowing)
        // Also on a loaded machine.
        configuration.quick = .seconds(60)
        change(&configuration)
        let box = Box()
        dispatcher = Dispatcher(
            queue: queue, configuration: configuration, lookUp: lookUp, logger: Logger(label: "test"), observe: { box.post?($0) })
        box.post = { [weak self] report in self?.reports.withLock { $0.append(report) } }
    }

    private final class Box: @unchecked Sendable {  // set once, before the dispatcher starts
        var post: (@Sendable (AttemptReport) -> Void)?
    }

    func endpoint(_ id: EndpointID, _ url: String, headers: [Endpoint.Header] = [], ordered: Bool = false, secrets: SigningSecrets? = nil) {
        queue.add(
            Endpoint(
                id: id, url: EndpointURL(stored: url), headers: headers, ordered: ordered, createdAt: Timestamp(milliseconds: 0),
                secrets: secrets ?? SigningSecrets(current: Self.secret)))
    }

    func deliver(_ id: DeliveryID, to endpoint: EndpointID, body: String = #"{"type":"webhook.ping"}"#) {
        queue.add(
            Event(id: "msg_\(id)", type: .ping, app: nil, occurredAt: SystemClock().now(), body: Array(body.utf8)), to: endpoint, id: id)
        dispatcher.wake()
    }

    /// The delivery as soon as it is no longer pending.
    func settled(_ id: DeliveryID) async throws -> MemoryQueue.Row {
        try await eventually { self.queue.row(id).flatMap { $0.state == .pending ? nil : $0 } }
    }
}

func eventually<Value>(_ value: () -> Value?) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if let value = value() { return value }
        try await Task.sleep(for: .milliseconds(3))
    }
    return try #require(value())
}

@Suite(.serialized)
struct DispatcherTests {
    @Test func `sends the event as documented`() async throws {
        let sink = LocalSink { _, _ in .status(204) }
        let post = try Post()
        post.dispatcher.start()
        let headers = [Endpoint.Header(name: "X-Token", value: " a b "), Endpoint.Header(name: "X-Empty", value: "")]
        post.endpoint("e", sink.url("/a/../b?c=d#e"), headers: headers)
        let body = "{\"type\":\"é\u{0}\\n\"}"
        let begun = Int64(Date().timeIntervalSince1970)
        post.deliver("d", to: "e", body: body)
        let row = try await post.settled("d")
        #expect(row.state == .delivered)
        #expect(row.attempts.map(\.status) == [204])
        #expect(row.attempts.map(\.error) == [nil])
        let request = try #require(sink.requests.first)
        #expect(request.line == "POST /a/../b?c=d HTTP/1.1")
        #expect(request.body == Array(body.utf8))
        #expect(
            request.fields.map { $0.name.lowercased() }.sorted() == [
                "content-length", "content-type", "host", "user-agent", "webhook-id", "webhook-signature", "webhook-timestamp", "x-empty",
                "x-token",
            ])
        #expect(request.field("content-type") == "application/json")
        #expect(request.field("user-agent") == "Longpress/1.2.3")
        #expect(request.field("content-length") == "\(body.utf8.count)")
        #expect(request.field("webhook-id") == "msg_d")
        #expect(request.field("x-token") == "a b")
        #expect(request.field("x-empty") == "")
        let timestamp = try #require(request.field("webhook-timestamp").flatMap { Int64($0) })
        #expect((begun...Int64(Date().timeIntervalSince1970)).contains(timestamp))
        let secret = try #require(SigningSecret(Post.secret))
        let signature = WebhookSignature(id: "msg_d", timestamp: timestamp, body: request.body, secrets: [secret])
        #expect(request.field("webhook-signature") == signature.description)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
        #expect(post.reports.withLock { $0.map(\.outcome) } == [.delivered])
    }

    @Test func `signs with both secrets in the overlap`() async throws {
        let sink = LocalSink()
        let post = try Post()
        post.dispatcher.start()
        let later = SystemClock().now().later(60_000)
        post.endpoint("e", sink.url(), secrets: SigningSecrets(current: Post.secret, previous: "whsec_AAAA", previousExpiresAt: later))
        post.deliver("d", to: "e")
        _ = try await post.settled("d")
        #expect(sink.requests.first?.field("webhook-signature")?.split(separator: " ").count == 2)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `tries again with the same id and bytes and a new signature`() async throws {
        let sink = LocalSink { _, before in before < 2 ? .status(500, body: "no") : .status(200) }
        let post = try Post("0s,30ms,1100ms")
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        let row = try await post.settled("d")
        #expect(row.state == .delivered)
        #expect(row.attempts.map(\.status) == [500, 500, 200])
        #expect(row.attempts.first?.response == "no")
        #expect(Set(sink.requests.map { $0.field("webhook-id") }) == ["msg_d"])
        #expect(Set(sink.requests.map(\.body)).count == 1)
        #expect(Set(sink.requests.map { $0.field("webhook-signature") }).count >= 2)
        #expect(sink.connectionCount == 1)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `gives up after the last entry of the schedule`() async throws {
        let sink = LocalSink { _, _ in .status(500) }
        let post = try Post()
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        let row = try await post.settled("d")
        #expect(row.state == .exhausted)
        #expect(row.attempts.count == 3)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `disables an endpoint that is removed`() async throws {
        let sink = LocalSink { _, _ in .status(410) }
        let post = try Post()
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        #expect(try await post.settled("d").state == .exhausted)
        #expect(sink.requests.count == 1)
        #expect(post.queue.state.withLock { $0.endpoints["e"]?.enabled } == false)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `leaves the endpoint alone as long as Retry-After says`() async throws {
        let sink = LocalSink { _, before in before == 0 ? .status(429, fields: "rEtry-aFter: \t1 \r\n") : .status(200) }
        let post = try Post()
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        _ = try await eventually { post.queue.state.withLock { $0.holds["e"] } }
        post.deliver("other", to: "e")
        #expect(try await post.settled("d").state == .delivered)
        #expect(try await post.settled("other").state == .delivered)
        let waits = sink.requests.dropFirst().map { $0.at - sink.requests[0].at }
        #expect(waits.count == 2 && waits.allSatisfy { $0 >= .milliseconds(990) }, "\(waits)")
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `does not follow redirects`(_ status: Int) async throws {
        let target = LocalSink()
        let place = target.url()
        let sink = LocalSink { _, _ in .status(status, fields: "Location: \(place)\r\n") }
        let post = try Post("0s")
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        let row = try await post.settled("d")
        #expect(row.state == .exhausted)
        #expect(row.attempts.map(\.status) == [status])
        #expect(target.requests.isEmpty)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test(arguments: [
        ("reset", LocalSink.Reply.reset, "The endpoint reset the connection."),
        ("closed", .raw(""), "The endpoint closed the connection without an answer."),
        ("no HTTP", .raw("SSH-2.0-x\r\n"), "The endpoint's answer is not HTTP."),
        (
            "partial", .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"),
            "The endpoint closed the connection in the middle of its answer."
        ),
        (
            "fields", .raw("HTTP/1.1 200 OK\r\n" + String(repeating: "X: \(String(repeating: "y", count: 990))\r\n", count: 80)),
            AttemptError.tooManyFields
        ),
    ])
    func `says in words what went wrong`(_ name: String, _ reply: LocalSink.Reply, _ sentence: String) async throws {
        let sink = LocalSink { _, _ in reply }
        let post = try Post("0s")
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        let row = try await post.settled("d")
        #expect(row.state == .exhausted)
        #expect(row.attempts.map(\.error) == [sentence])
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test(arguments: [(LocalSink.Reply.hang(.seconds(60)), "No answer came within "), (.drip, "The answer did not end within ")])
    func `says that an answer took too long`(_ reply: LocalSink.Reply, _ sentence: String) async throws {
        let sink = LocalSink { _, _ in reply }
        var (timeout, error) = (Duration.milliseconds(100), "")
        // Longer if a loaded machine has not begun an answer within the timeout.
        while !error.hasPrefix(sentence), timeout < .seconds(60) {
            let post = try Post("0s") { $0.timeout = timeout }
            post.dispatcher.start()
            post.endpoint("e", sink.url())
            post.deliver("d", to: "e")
            let row = try await post.settled("d")
            #expect(row.state == .exhausted)
            error = try #require(row.attempts.first?.error)
            #expect(post.dispatcher.drain(timeout: .seconds(60)))
            timeout *= 3
        }
        #expect(error.hasPrefix(sentence))
    }

    @Test func `says that a connection was refused`() async throws {
        let sink = LocalSink()
        let url = sink.url()
        sink.stop()
        let post = try Post("0s")
        post.dispatcher.start()
        post.endpoint("e", url)
        post.deliver("d", to: "e")
        #expect(try await post.settled("d").attempts.map(\.error) == ["The endpoint refused the connection."])
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `keeps 16 KiB of an answer and ends it at 64`() async throws {
        let sink = LocalSink { _, _ in .endless }
        let post = try Post("0s")
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        let row = try await post.settled("d")
        #expect(row.state == .delivered)
        #expect(row.attempts.first?.response?.utf8.count == 16 * 1024)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }
}
