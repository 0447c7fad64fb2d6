import Dispatch
import Glibc
import HTTP
import QuickActions
import Testing

@testable import HTTPServer

@Suite struct PressureTests {
    @Test func `answers 408 to an incomplete head after the timeout`() throws {
        let server = try RunningServer { $0.headerTimeout = .milliseconds(200) }
        var client: Client
        repeat {
            // Again if a loaded machine sends nothing within the timeout.
            client = try server.client()
            client.send(get("/memory") + "GET / HTTP/1.1\r\nHo")
        } while client.answer()?.status != 200
        let answer = client.answer()
        #expect(answer?.status == 408 && answer?.field("Connection") == "close")
        #expect(client.hasEnded())
    }

    @Test func `single bytes do not extend the deadline`() throws {
        let server = try RunningServer { $0.headerTimeout = .milliseconds(300) }
        let client = try server.client()
        client.send("GET / HTTP/1.1\r\nX: ")
        var sent = 0
        while sent < 1000, !client.hasSomething(within: 20) {
            client.send("a")
            sent += 1
        }
        #expect(sent < 1000)
        #expect(client.answer()?.status == 408)
    }

    @Test func `closes a connection without a request after the timeout, without an answer`() throws {
        let server = try RunningServer { $0.headerTimeout = .milliseconds(200) }
        #expect(try server.client().hasEnded())
    }

    @Test func `answers 408 to an incomplete body after the timeout`() throws {
        let server = try RunningServer { $0.bodyTimeout = .milliseconds(200) }
        let client = try server.client()
        client.send("POST /worker HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc")
        #expect(client.answer()?.status == 408)
        #expect(client.hasEnded())
    }

    @Test func `closes idle connections without an answer`() throws {
        let server = try RunningServer { $0.idleTimeout = .milliseconds(200) }
        let client = try server.client()
        client.send(get("/memory"))
        #expect(client.answer()?.status == 200)
        #expect(client.hasEnded())
    }

    @Test func `answers 503 when the workers' queue is full`() throws {
        let echo = Echo()
        let server = try RunningServer([echo]) {
            $0.workers = 1
            $0.workerQueueLimit = 1
        }
        let first = try server.client()
        first.send(get("/gate"))
        echo.gate.waitForArrival()
        let second = try server.client()
        second.send(get("/gate"))
        #expect(eventually { server.server.workerQueueDepth == 1 })
        let third = try server.client()
        third.send(get("/worker"))
        let refusal = third.answer()
        #expect(refusal?.status == 503)
        #expect(refusal?.field("Retry-After") == "1" && refusal?.text.contains("/problems/overloaded") == true)
        third.send(get("/memory"))
        #expect(third.answer()?.status == 200)
        echo.gate.open()
        echo.gate.open()
        #expect(first.answer()?.text == "passed")
        #expect(second.answer()?.text == "passed")
    }

    @Test func `readers do not wait behind writers`() throws {
        let echo = Echo()
        let server = try RunningServer([echo]) { $0.workers = 1 }
        let writers = try (0..<3).map { _ in try server.client() }
        for writer in writers { writer.send(get("/write")) }
        echo.gate.waitForArrival()
        let reader = try server.client()
        reader.send(get("/worker"))
        #expect(reader.answer()?.status == 200)
        for _ in writers { echo.gate.open() }
        #expect(writers.allSatisfy { $0.answer()?.text == "passed" })
    }

    @Test func `waits for a slow reader and loses nothing`() throws {
        let echo = Echo()
        let server = try RunningServer([echo])
        let client = try server.client(receiveBuffer: 4096)
        client.send(get("/big") + get("/memory"))
        for _ in 0..<50 { _ = client.fill(1000) }
        #expect(client.answer()?.body == echo.big)
        #expect(client.answer()?.text == "memory")
    }

    @Test func `a request that waits holds no thread`() throws {
        let echo = Echo()
        let server = try RunningServer([echo]) { $0.workers = 1 }
        let waiting = try (0..<3).map { _ in try server.client() }
        for client in waiting {
            client.send(get("/delayed"))
            echo.gate.waitForArrival()
        }
        let other = try server.client()
        other.send(get("/worker"))
        #expect(other.answer()?.status == 200)
        echo.gate.release()
        #expect(waiting.allSatisfy { $0.answer()?.status == 200 })
    }

    @Test(arguments: [true, false]) func `what is reserved for an answer is so until it was sent or the client is removed`(_ reads: Bool)
        throws
    {
        let echo = Echo()
        let server = try RunningServer([echo])
        var client: Client? = try server.client(receiveBuffer: 4096)
        client?.send(get("/reserved"))
        _ = client?.fill(1000)
        #expect(echo.gate.ended.load(ordering: .relaxed) == 0)
        if reads {
            #expect(client?.answer()?.body == echo.big)
        } else {
            client = nil
        }
        #expect(eventually { echo.gate.ended.load(ordering: .relaxed) == 1 })
    }

    @Test func `gives up on a client that does not read`() throws {
        let metrics = CountingMetrics()
        let server = try RunningServer(metrics: metrics) { $0.writeTimeout = .milliseconds(200) }
        let client = try server.client(receiveBuffer: 4096)
        client.send(get("/big"))
        #expect(eventually { metrics.counts.withLock { $0.closed } == 1 })
        _ = client.fill()
    }

    @Test func `bounds what it keeps for a client that only writes`() throws {
        let server = try RunningServer { $0.eventLoops = 1 }
        let other = try server.client()
        let client = try server.client(receiveBuffer: 4096)
        let requests = Array(String(repeating: get("/memory", "X: \(String(repeating: "a", count: 250))\r\n"), count: 60_000).utf8)
        // Answers of more than 6 MB and requests of 18 MB: the socket buffers are smaller than either, so the server has to stop reading.
        // The loop handles the readable input before the other client's request at the latest.
        let sent = client.sendUntilBlocked(requests) {
            other.send(get("/memory"))
            #expect(other.answer()?.text == "memory")
        }
        #expect(sent < requests.count)
        DispatchQueue.global().async { [client = UncheckedBox(client)] in client.value.send(Array(requests[sent...])) }
        for _ in 0..<60_000 {
            guard client.answer()?.text == "memory" else {
                Issue.record("an answer is missing")
                return
            }
        }
    }

    @Test func `serves beside many idle connections`() throws {
        let server = try RunningServer()
        let idle = try (0..<500).map { _ in try server.client() }
        for client in idle.prefix(50) {
            client.send(get("/memory"))
            #expect(client.answer()?.status == 200)
        }
        let client = try server.client()
        client.send(get("/worker"))
        #expect(client.answer()?.status == 200)
        #expect(idle.count == 500)
    }

    @Test func `clients wait in the accept queue at the limit of connections`() throws {
        let metrics = CountingMetrics()
        let server = try RunningServer(metrics: metrics) { $0.maxConnections = 2 }
        var open = try (0..<2).map { _ in try server.client() }
        for client in open {
            client.send(get("/memory"))
            #expect(client.answer()?.status == 200)
        }
        let third = try server.client()
        third.send(get("/memory"))
        for client in open {
            client.send(get("/memory"))
            #expect(client.answer()?.status == 200)
        }
        #expect(metrics.counts.withLock { $0.opened } == 2)
        open.removeFirst()
        #expect(third.answer()?.status == 200)
    }

    @Test func `limits the connections of an address`() throws {
        let server = try RunningServer {
            $0.eventLoops = 1
            $0.maxConnectionsPerAddress = 2
        }
        var open = try (0..<2).map { _ in try server.client() }
        for client in open {
            client.send(get("/memory"))
            #expect(client.answer()?.status == 200)
        }
        let third = try server.client()
        let refusal = third.answer()
        #expect(refusal?.status == 429 && refusal?.field("Retry-After") == "1" && refusal?.field("Connection") == "close")
        #expect(refusal?.text.contains("/problems/too-many-requests") == true)
        #expect(third.hasEnded())
        open.removeFirst()
        #expect(eventually { server.server.openConnections == 1 })
        let fourth = try server.client()
        fourth.send(get("/memory"))
        #expect(fourth.answer()?.status == 200)
    }

    @Test func `a trusted proxy names the client, and may have more connections than one`() throws {
        let server = try RunningServer {
            $0.maxConnectionsPerAddress = 1
            $0.proxies.blocks = AddressBlock.list("127.0.0.0/8")
        }
        for address in ["192.0.2.1", "192.0.2.2", "192.0.2.1"] {
            let client = try server.client()
            client.send(get("/worker", "X-Forwarded-For: 198.51.100.9, \(address)\r\n"))
            #expect(client.answer()?.field("X-Peer") == address)
            // The cache's answers do not depend on the client.
            client.send(get("/memory", "X-Forwarded-For: \(address)\r\n"))
            #expect(client.answer()?.text == "memory")
        }
    }
}

/// Only one thread writes and only one reads.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
