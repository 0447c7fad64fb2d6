import Dispatch
import HTTP
import QuickActions
import Synchronization
import Testing

@testable import HTTPServer

/// The access of each stream whose first topic begins with `guarded`.
private final class Accesses: Sendable {
    final class Access: StreamAccess {
        private let end = Atomic(false)

        var farewell: String? { end.load(ordering: .acquiring) ? "event: ended\n\n" : nil }

        func finish() { end.store(true, ordering: .releasing) }
    }

    private let known = Mutex<[String: Access]>([:])

    func access(_ topic: String) -> Access? {
        guard topic.hasPrefix("guarded") else { return nil }
        return known.withLock { known in
            if let access = known[topic] { return access }
            let access = Access()
            known[topic] = access
            return access
        }
    }
}

/// Opens a stream of the topics in the path: `/a/b` has two. Events are numbered from 1 on.
private final class Topics: Handler, RecentEvents {
    private struct State {
        var events: [StreamedEvent] = []
        /// Earlier events are not in memory.
        var first = 0
        var isCurrent = true
    }

    private let state = Mutex(State())
    let accesses = Accesses()

    /// Makes an event, which the caller sends afterwards.
    func publish(_ topic: String, size: Int = 0) -> StreamedEvent {
        state.withLock { state in
            let number = Int64(state.events.count + 1)
            let padding = String(repeating: "x", count: size)
            let event = StreamedEvent(number: number, topic: topic, text: Array("id: \(number)\ndata: \(padding)\n\n".utf8))
            state.events.append(event)
            return event
        }
    }

    func forget() { state.withLock { $0.first = $0.events.count } }

    func restart() { state.withLock { $0.isCurrent = false } }

    var isCurrent: Bool { state.withLock(\.isCurrent) }

    func events(after number: Int64) -> (events: [StreamedEvent], position: Int64)? {
        state.withLock { state in
            let index = Int(number)
            guard state.isCurrent, index >= state.first else { return nil }
            return (Array(state.events[index...]), Int64(state.events.count))
        }
    }

    func route(_ request: Request) -> RouteDecision {
        RouteDecision(name: "stream", body: .ignored, runs: .onOpener) { [self] request in
            var response = Response(.ok, fields: ["Content-Type": "text/event-stream"])
            let isOld = request.query["from"] != nil
            let position = isOld ? 0 : Int64(state.withLock { $0.events.count })
            response.stream = stream(of: request.path, after: position, "retry: 1\n\n", isComplete: !isOld)
            return response
        }
    }

    /// Portions of seven events.
    private func stream(of topics: [String], after position: Int64, _ text: String, isComplete: Bool) -> EventStream {
        EventStream(
            topics: topics, events: Array(text.utf8), position: position, isComplete: isComplete, recent: self, interest: Interest(),
            access: topics.first.flatMap(accesses.access)
        ) { [self] in
            let events = state.withLock { Array($0.events[Int(position)...].prefix(7)) }
            let text = events.filter { topics.contains($0.topic) }.map { String(decoding: $0.text, as: UTF8.self) }.joined()
            return stream(of: topics, after: events.last?.number ?? position, text, isComplete: events.count < 7)
        }
    }

    private final class Interest: Sendable {}
}

private final class StreamMetrics: ServerMetrics {
    let ends = Mutex<[StreamEnd]>([])
    let events = Atomic<Int>(0)
    func connectionOpened() {}
    func connectionClosed() {}
    func requestFinished(_ record: RequestRecord) {}
    func streamEnded(_ end: StreamEnd) { ends.withLock { $0.append(end) } }
    func eventsStreamed(_ count: Int) { events.add(count, ordering: .relaxed) }
}

/// The ids in what was received.
private func ids(_ text: String?) -> [Int] {
    (text ?? "").split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
}

@Suite struct StreamTests {
    private let topics = Topics()
    private let metrics = StreamMetrics()

    private func running(_ configure: (inout HTTPServer.Configuration) -> Void = { _ in }) throws -> RunningServer {
        try RunningServer([topics], metrics: metrics) {
            $0.maxStreamsPerAddress = 0
            configure(&$0)
        }
    }

    /// A client whose stream has started.
    private func stream(_ server: RunningServer, _ path: String, receiveBuffer: Int32? = nil) throws -> Client {
        let client = try server.client(receiveBuffer: receiveBuffer)
        client.send(get(path))
        _ = try #require(client.everything(upTo: "retry: 1\n\n"))
        return client
    }

    @Test func `an event goes to the streams of its topic`() throws {
        let server = try running()
        let (both, one) = (try stream(server, "/a/b"), try stream(server, "/b"))
        server.server.send([topics.publish("a"), topics.publish("b"), topics.publish("none"), topics.publish("b")])
        #expect(ids(both.everything(upTo: "id: 4\n")) == [1, 2, 4])
        #expect(ids(one.everything(upTo: "id: 4\n")) == [2, 4])
        #expect(eventually { metrics.events.load(ordering: .relaxed) == 5 })
    }

    @Test func `the body is in chunks, and the connection is not used again`() throws {
        let server = try running()
        let client = try server.client()
        client.send(get("/a"))
        let received = try #require(client.everything(upTo: "retry: 1\n\n\r\n"))
        #expect(received.contains("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\na\r\nretry: 1\n\n\r\n"))
        #expect(!received.contains("Content-Length"))
    }

    @Test func `whoever joins while events are sent misses none and gets none twice`() throws {
        let server = try running()
        let (sender, sending) = (DispatchQueue(label: "sender"), DispatchGroup())
        let (topics, loops) = (topics, server.server)
        // Few enough that unread events fit into the buffers of a connection.
        let clients = try (0..<30).map { number in
            let client = try server.client()
            sender.async(group: sending) { for _ in 0..<16 { loops.send([topics.publish("a")]) } }
            client.send(get(number % 3 == 0 ? "/a?from=0" : "/a"))
            return client
        }
        #expect(eventually { loops.openStreams == clients.count })
        sending.wait()
        let last = topics.publish("a")
        loops.send([last])
        let count = Int(last.number)
        for (number, client) in clients.enumerated() {
            let told = ids(client.everything(upTo: "id: \(count)\n"))
            let first = try #require(told.first)
            #expect(told == Array(first...count))
            if number % 3 == 0 { #expect(first == 1) }
        }
    }

    @Test func `what is not in memory any more is read in portions`() throws {
        let server = try running()
        for _ in 0..<50 { _ = topics.publish("a") }
        topics.forget()
        let client = try server.client()
        client.send(get("/a?from=0"))
        #expect(ids(client.everything(upTo: "id: 50\n")) == Array(1...50))
        server.server.send([topics.publish("a")])
        #expect(ids(client.everything(upTo: "id: 51\n")) == Array(1...51))
    }

    /// Otherwise it would read the journal again and again.
    @Test(arguments: ["/a", "/a?from=0"]) func `a stream of numbers that do not continue is ended`(_ path: String) throws {
        let server = try running()
        _ = topics.publish("a")
        topics.restart()
        let client = try server.client()
        client.send(get(path))
        #expect(client.everything(upTo: "\r\n0\r\n\r\n") != nil && client.fill() == 0)
        #expect(eventually { server.server.openStreams == 0 })
        #expect(metrics.ends.withLock { $0 } == [.restart])
    }

    @Test func `comments keep a stream alive`() throws {
        let server = try running { $0.streamHeartbeat = .milliseconds(30) }
        #expect(try stream(server, "/a").everything(upTo: String(repeating: "3\r\n:\n\n\r\n", count: 3)) != nil)
    }

    @Test func `a stream ends when its time is over`() throws {
        let server = try running { $0.streamLifetime = .milliseconds(30) }
        let client = try stream(server, "/a")
        #expect(client.everything(upTo: "\r\n0\r\n\r\n") != nil && client.fill() == 0)
        #expect(eventually { server.server.openStreams == 0 })
        #expect(metrics.ends.withLock { $0 } == [.lifetime])
    }

    @Test func `as many streams are opened at once as there may be`() throws {
        let server = try running {
            $0.workers = 1
            $0.workerQueueLimit = 1
        }
        let clients = try (0..<200).map { _ in try server.client() }
        for client in clients { client.send(get("/a")) }
        for client in clients { #expect(client.everything(upTo: "retry: 1\n\n") != nil) }
        #expect(server.server.openStreams == 200)
    }

    @Test func `a reader that does not read is closed, and holds nobody up`() throws {
        let server = try running { $0.eventLoops = 1 }
        let quick = try stream(server, "/a")
        let slow = try stream(server, "/a", receiveBuffer: 4096)
        var sent = 0
        while metrics.ends.withLock(\.isEmpty), sent < 1000 {
            server.server.send([topics.publish("a", size: 1000)])
            sent += 1
            #expect(quick.everything(upTo: "id: \(sent)\n") != nil)
        }
        #expect(metrics.ends.withLock { $0 } == [.slow])
        // The events in the server's queue and in the kernel's buffers on both sides.
        #expect(sent > 64 && sent < 400)
        withExtendedLifetime(slow) {}
    }

    @Test func `whoever goes away is no longer counted`() throws {
        let server = try running { $0.maxStreams = 2 }
        var clients = [try stream(server, "/a"), try stream(server, "/a")]
        let third = try server.client()
        third.send(get("/a"))
        let refusal = try #require(third.answer())
        #expect(refusal.status == 503 && refusal.field("Retry-After") == "5" && refusal.text.contains("/problems/overloaded"))
        clients.removeLast()
        #expect(eventually { server.server.openStreams == 1 })
        // The connection of a rejected request is reused.
        third.send(get("/a"))
        #expect(third.everything(upTo: "retry: 1\n\n") != nil)
        #expect(metrics.ends.withLock { $0 } == [.client])
        #expect(clients.count == 1)
    }

    @Test func `an address has as many streams as it may have`() throws {
        let server = try running { $0.maxStreamsPerAddress = 1 }
        let first = try stream(server, "/a")
        let second = try server.client()
        second.send(get("/b"))
        #expect(second.answer()?.status == 429)
        withExtendedLifetime(first) {}
    }

    @Test func `streams are counted for the client that a trusted proxy names`() throws {
        let server = try running {
            $0.maxStreamsPerAddress = 1
            $0.proxies.blocks = AddressBlock.list("127.0.0.1")
        }
        var clients: [Client] = []
        for (address, status) in [("192.0.2.1", 200), ("192.0.2.1", 429), ("192.0.2.2", 200)] {
            let client = try server.client()
            client.send(get("/a", "X-Forwarded-For: \(address)\r\n"))
            #expect(client.answer()?.status == status)
            clients.append(client)
        }
    }

    @Test func `streams leave connections to requests`() throws {
        let server = try running {
            $0.maxConnections = 8
            $0.maxStreams = 8
        }
        let streams = try (0..<6).map { _ in try stream(server, "/a") }
        let refused = try server.client()
        refused.send(get("/a"))
        #expect(refused.answer()?.status == 503)
        #expect(streams.count == 6)
    }

    @Test func `draining ends streams with the time at which to come back`() throws {
        let server = try running()
        let clients = try (0..<20).map { _ in try stream(server, "/a") }
        #expect(server.server.drain(timeout: .seconds(60)) == 0)
        var times: Set<Substring> = []
        for client in clients {
            let received = try #require(client.everything(upTo: "\r\n0\r\n\r\n"))
            times.insert(received.components(separatedBy: "retry: ").last?.prefix { $0.isNumber } ?? "")
            #expect(client.fill() == 0)
        }
        #expect(times.count > 10 && times.allSatisfy { Int($0).map { $0 <= 10_000 } == true })
        #expect(metrics.ends.withLock { $0 } == Array(repeating: .drain, count: 20))
    }

    @Test func `streams that may not be read any more are ended, and no others`() throws {
        let server = try running()
        let (ended, kept, open) = (try stream(server, "/guarded1"), try stream(server, "/guarded2"), try stream(server, "/guarded"))
        let free = try stream(server, "/a")
        topics.accesses.access("guarded1")?.finish()
        server.server.endStreamsWithoutAccess()
        #expect(ended.everything(upTo: "event: ended\n\n\r\n0\r\n\r\n") != nil && ended.fill() == 0)
        #expect(eventually { server.server.openStreams == 3 })
        #expect(metrics.ends.withLock { $0 } == [.access])
        for (client, topic) in [(kept, "guarded2"), (open, "guarded"), (free, "a")] {
            let event = topics.publish(topic)
            server.server.send([event])
            #expect(client.everything(upTo: "id: \(event.number)\n") != nil)
        }
    }

    @Test func `a stream whose access ended before it was open tells nothing else`() throws {
        let server = try running()
        topics.accesses.access("guarded")?.finish()
        let client = try server.client()
        client.send(get("/guarded"))
        let received = try #require(client.everything(upTo: "\r\n0\r\n\r\n"))
        #expect(received.contains("event: ended\n\n") && !received.contains("retry: 1"))
        #expect(eventually { server.server.openStreams == 0 })
        #expect(metrics.ends.withLock { $0 } == [.access])
    }

    @Test func `a reader that has not kept up gets nothing more once it may not read`() throws {
        let server = try running { $0.eventLoops = 1 }
        let quick = try stream(server, "/a/guarded")
        func send() {
            let event = topics.publish("guarded", size: 1000)
            server.server.send([event])
            #expect(quick.everything(upTo: "id: \(event.number)\n") != nil)
        }
        // What fits into the kernel's buffers, and 64 KiB in the queue.
        let first = try stream(server, "/guarded", receiveBuffer: 4096)
        var limit = 0
        while metrics.ends.withLock(\.isEmpty), limit < 1000 {
            send()
            limit += 1
        }
        let slow = try stream(server, "/guarded", receiveBuffer: 4096)
        for _ in 0..<(limit - 32) { send() }
        topics.accesses.access("guarded")?.finish()
        server.server.endStreamsWithoutAccess()
        #expect(eventually { server.server.openStreams == 1 && server.server.openConnections == 1 })
        #expect(metrics.ends.withLock { $0 } == [.slow, .access])
        #expect(slow.everything(upTo: "event: ended") == nil)
        withExtendedLifetime(first) {}
    }

    @Test func `all streams are ended where what follows cannot be told`() throws {
        let server = try running()
        let client = try stream(server, "/a")
        server.server.restartStreams()
        #expect(client.everything(upTo: "\r\n0\r\n\r\n") != nil && client.fill() == 0)
        #expect(metrics.ends.withLock { $0 } == [.restart])
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
