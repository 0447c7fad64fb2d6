import Foundation
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Webhooks

@Suite(.serialized)
struct DispatcherIsolationTests {
    @Test func `lets endpoints that hang delay nobody else`() async throws {
        let hanging = (0..<20).map { index in LocalSink { _, _ in [.hang(.seconds(60)), .drip, .endless, .reset][index % 4] } }
        let good = LocalSink()
        // A delivery that waits for a hanging one would outlast this test.
        let post = try Post("0s") { $0.timeout = .seconds(60) }
        post.dispatcher.start()
        for (index, sink) in hanging.enumerated() {
            post.endpoint("h\(index)", sink.url())
            for number in 0..<20 { post.deliver("h\(index)-\(number)", to: "h\(index)") }
        }
        post.endpoint("g", good.url())
        _ = try await eventually { hanging.allSatisfy { $0.connectionCount > 0 } ? true : nil }
        for number in 0..<50 {
            post.deliver("g\(number)", to: "g")
            _ = try await eventually { good.requests.count > number ? true : nil }
        }
        #expect(good.connectionCount <= 2)
        #expect(post.queue.state.withLock { $0.mostLeased } <= 8)
        _ = post.dispatcher.drain(timeout: .milliseconds(10))
    }

    @Test func `lets an outcome that cannot be recorded stop no other`() async throws {
        let sink = LocalSink()
        let post = try Post()
        post.endpoint("e", sink.url())
        for number in 0..<20 { post.deliver("\(number)", to: "e") }
        post.queue.state.withLock { $0.unrecordable = ["7"] }
        post.dispatcher.start()
        _ = try await eventually { post.queue.rows.count { $0.state == .delivered } == 19 ? true : nil }
        _ = try await eventually { post.queue.row("7")?.state == .held ? true : nil }
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
        #expect(sink.requests.count == 20)
    }

    @Test func `sends many over few connections`() async throws {
        let sink = LocalSink()
        let post = try Post()
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        for number in 0..<500 { post.deliver("\(number)", to: "e") }
        _ = try await eventually { sink.requests.count == 500 ? true : nil }
        #expect(sink.connectionCount <= 8)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
        #expect(post.queue.rows.allSatisfy { $0.state == .delivered && $0.attempts.count == 1 })
    }

    @Test func `sends nothing that was claimed ahead to an endpoint that asks for a pause`() async throws {
        let isHeld = DispatchSemaphore(value: 0)
        let sink = LocalSink { _, before in
            if before == 100 { return .status(429, fields: "Retry-After: 1\r\n") }
            // The other connections' next attempts can only have begun before the answer was read.
            if before > 100 {
                isHeld.wait()
                isHeld.signal()
            }
            return .status(200)
        }
        let post = try Post()
        post.endpoint("e", sink.url())
        for number in 0..<400 { post.deliver("\(number)", to: "e") }
        post.dispatcher.start()
        _ = try await eventually { post.queue.state.withLock { $0.holds["e"] } }
        isHeld.signal()
        _ = try await eventually { sink.requests.count == 401 ? true : nil }
        let paused = sink.requests[100].at
        let early = sink.requests.dropFirst(101).count { $0.at - paused < .milliseconds(990) }
        #expect(early <= 7)
        #expect(post.queue.state.withLock { $0.mostLeased } > 8)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
        #expect(post.queue.rows.allSatisfy { $0.state == .delivered })
    }

    @Test func `sends nothing that was claimed ahead to where an endpoint was before`() async throws {
        let hasMoved = DispatchSemaphore(value: 0)
        let previous = LocalSink { _, before in
            if before >= 10 {
                hasMoved.wait()
                hasMoved.signal()
            }
            return .status(200)
        }
        let present = LocalSink()
        let post = try Post()
        post.dispatcher.start()
        post.endpoint("e", previous.url())
        for number in 0..<10 {
            post.deliver("quick\(number)", to: "e")
            _ = try await post.settled("quick\(number)")
        }
        for number in 0..<40 { post.deliver("d\(number)", to: "e") }
        _ = try await eventually { post.queue.rows.count { $0.lease != nil } == 40 && previous.requests.count == 18 ? true : nil }
        post.endpoint("e", present.url())
        post.dispatcher.endpointsChanged(["e"])
        _ = try await eventually { post.queue.state.withLock { $0.givenBack } >= 32 ? true : nil }
        hasMoved.signal()
        for number in 0..<40 { #expect(try await post.settled("d\(number)").state == .delivered) }
        #expect(previous.requests.count == 18)
        #expect(present.requests.count == 32)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `retries in time while another endpoint is busy and has more waiting`() async throws {
        let busy = LocalSink { _, _ in .hang(.seconds(60)) }
        let sink = LocalSink { _, before in before == 0 ? .status(500) : .status(200) }
        let post = try Post("0s,200ms") { $0.timeout = .seconds(60) }
        post.dispatcher.start()
        post.endpoint("busy", busy.url())
        post.endpoint("e", sink.url())
        for number in 0..<20 { post.deliver("busy\(number)", to: "busy") }
        post.deliver("d", to: "e")
        #expect(try await post.settled("d").state == .delivered)
        #expect(busy.requests.count > 0)
        #expect(post.queue.rows.filter { $0.endpointID == "busy" }.allSatisfy { $0.attempts.isEmpty })
        _ = post.dispatcher.drain(timeout: .milliseconds(10))
    }

    @Test func `keeps the order of an ordered endpoint`() async throws {
        let sink = LocalSink { _, before in before % 3 == 0 ? .status(500) : .status(200) }
        let post = try Post("0s,0s,0s")
        post.dispatcher.start()
        post.endpoint("e", sink.url(), ordered: true)
        for number in 0..<20 { post.deliver("\(number)", to: "e") }
        _ = try await post.settled("19")
        var seen: [String] = []
        for id in sink.requests.compactMap({ $0.field("webhook-id") }) where seen.last != id { seen.append(id) }
        #expect(seen == (0..<20).map { "msg_\($0)" })
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `refuses an address at the attempt for good`() async throws {
        let sink = LocalSink()
        let post = try Post(allowing: "")
        post.dispatcher.start()
        post.endpoint("literal", sink.url())
        post.endpoint("name", "http://localhost:\(sink.port)/")
        post.deliver("literal", to: "literal")
        post.deliver("name", to: "name")
        for id in ["literal", "name"] as [DeliveryID] {
            let row = try await post.settled(id)
            #expect(row.state == .exhausted)
            #expect(row.attempts.count == 1)
            #expect(row.attempts.first?.error?.contains("127.0.0.1") ?? false || row.attempts.first?.error?.contains("::1") ?? false)
        }
        #expect(sink.connectionCount == 0)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `connects only to the allowed addresses of a name`() async throws {
        let sink = LocalSink()
        let other = [IPAddress("127.0.0.2"), IPAddress("127.0.0.1")].compactMap(\.self)
        let post = try Post(lookUp: { _ in .addresses(other) })
        post.dispatcher.start()
        post.endpoint("e", "http://hooks.example:\(sink.port)/")
        post.deliver("d", to: "e")
        #expect(try await post.settled("d").state == .delivered)
        #expect(sink.requests.first?.field("host") == "hooks.example:\(sink.port)")
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `notices that a name has moved to a refused address`() async throws {
        // The connection stays open and is not used for the retry either.
        let sink = LocalSink()
        let lookups = Mutex(0)
        let moves = [IPAddress("127.0.0.1"), IPAddress("169.254.169.254")].compactMap(\.self)
        let post = try Post(lookUp: { _ in
            LookupResult.addresses([
                moves[
                    lookups.withLock { count in
                        defer { count += 1 }
                        return min(count, 1)
                    }]
            ])
        })
        post.dispatcher.start()
        post.endpoint("e", "http://hooks.example:\(sink.port)/")
        post.deliver("first", to: "e")
        #expect(try await post.settled("first").state == .delivered)
        // The answer of a look-up is reused for a moment.
        var last = try await post.settled("first")
        for number in 0..<1000 where last.state == .delivered {
            post.deliver("next\(number)", to: "e")
            last = try await post.settled("next\(number)")
        }
        #expect(last.state == .exhausted)
        #expect(last.attempts.first?.error?.contains("169.254.169.254") == true)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `lets a dead resolver delay its own endpoint only`() async throws {
        let sink = LocalSink()
        let home = [IPAddress("127.0.0.1")].compactMap(\.self)
        let isOver = DispatchSemaphore(value: 0)
        let post = try Post("0s", change: { $0.connectTimeout = .seconds(60) }) { name in
            if name == "dead.example" {
                isOver.wait()
                isOver.signal()
            }
            return name == "gone.example" ? .failed("The host name does not exist.") : .addresses(home)
        }
        defer { isOver.signal() }
        post.dispatcher.start()
        post.endpoint("dead", "http://dead.example:\(sink.port)/")
        post.endpoint("gone", "http://gone.example:\(sink.port)/")
        post.endpoint("good", "http://good.example:\(sink.port)/")
        for number in 0..<8 { post.deliver("dead\(number)", to: "dead") }
        post.deliver("gone", to: "gone")
        post.deliver("good", to: "good")
        #expect(try await post.settled("good").state == .delivered)
        #expect(post.queue.rows.filter { $0.endpointID == "dead" }.allSatisfy { $0.attempts.isEmpty })
        #expect(try await post.settled("gone").attempts.map(\.error) == ["The host name does not exist."])
        _ = post.dispatcher.drain(timeout: .milliseconds(10))
    }

    @Test func `gives up a look-up that takes too long`() async throws {
        let isOver = DispatchSemaphore(value: 0)
        let post = try Post("0s", change: { $0.connectTimeout = .milliseconds(50) }) { _ in
            isOver.wait()
            return .failed("")
        }
        defer { isOver.signal() }
        post.dispatcher.start()
        post.endpoint("dead", "http://dead.example/")
        post.deliver("d", to: "dead")
        #expect(try await post.settled("d").attempts.map(\.error) == ["The host name could not be looked up within 50ms."])
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `repeats no attempt whose outcome cannot be written`() async throws {
        let sink = LocalSink()
        let post = try Post()
        post.endpoint("e", sink.url())
        post.queue.state.withLock { $0.recordFailures = 4 }
        post.dispatcher.start()
        post.deliver("d", to: "e")
        #expect(try await post.settled("d").state == .delivered)
        #expect(sink.requests.count == 1)
        #expect(post.queue.row("d")?.attempts.count == 1)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `goes on by itself when the queue can be read again`() async throws {
        let sink = LocalSink()
        let post = try Post()
        post.endpoint("e", sink.url())
        post.queue.state.withLock { $0.claimFailures = 3 }
        post.dispatcher.start()
        post.deliver("d", to: "e")
        #expect(try await post.settled("d").state == .delivered)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `takes up what a dead process had claimed`() async throws {
        let sink = LocalSink()
        let post = try Post()
        post.endpoint("e", sink.url())
        post.queue.add(
            Event(id: "msg_1", type: .ping, app: nil, occurredAt: SystemClock().now(), body: [123, 125]), to: "e", id: "d", leased: true)
        post.dispatcher.start()
        let row = try await post.settled("d")
        #expect(row.attempts.count == 1)
        #expect(post.queue.state.withLock { $0.released } == 1)
        #expect(post.dispatcher.drain(timeout: .seconds(60)))
    }

    @Test func `waits for running attempts while draining and records them`() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let sink = LocalSink { _, _ in
            mayAnswer.wait()
            return .status(200)
        }
        let post = try Post()
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        _ = try await eventually { sink.requests.first }
        async let isClean = drained(post)
        mayAnswer.signal()
        #expect(await isClean)
        #expect(post.queue.row("d")?.state == .delivered)
    }

    @Test func `abandons without a record what outlasts the drain time`() async throws {
        let sink = LocalSink { _, _ in .hang(.seconds(60)) }
        let post = try Post { $0.timeout = .seconds(60) }
        post.dispatcher.start()
        post.endpoint("e", sink.url())
        post.deliver("d", to: "e")
        _ = try await eventually { sink.requests.first }
        #expect(!post.dispatcher.drain(timeout: .milliseconds(100)))
        #expect(post.queue.row("d")?.attempts.count == 0)
    }

    private func drained(_ post: Post) async -> Bool { post.dispatcher.drain(timeout: .seconds(60)) }
}
