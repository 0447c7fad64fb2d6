import HTTP
import QuickActions
import Testing

@testable import HTTPServer

@Suite struct ConversationTests {
    @Test(arguments: ["/memory", "/respelled", "/rendered"])
    func `a prepared answer is the same from the loop and from a worker`(_ target: String) throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send(get(target) + "GET \(target) HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"1\"\r\n\r\n" + get("/memory"))
        let whole = client.answer()
        #expect(whole?.status == 200 && whole?.text == "memory" && whole?.field("Content-Length") == "6")
        let notModified = client.answer()
        #expect(notModified?.status == 304 && notModified?.body.isEmpty == true && notModified?.field("ETag") == "\"1\"")
        #expect(client.answer()?.text == "memory")
    }

    @Test(arguments: ["/memory", "/loop", "/worker"])
    func `keeps a connection`(_ path: String) throws {
        let server = try RunningServer()
        let client = try server.client()
        for _ in 0..<3 {
            client.send(get(path))
            let answer = client.answer()
            #expect(answer?.status == 200)
            #expect(answer?.text == (path == "/memory" ? "memory" : "echo GET "))
            #expect(answer?.field("Connection") == nil)
            #expect(answer?.field("Date")?.hasSuffix(" GMT") == true)
        }
    }

    @Test func `answers pipelined requests in order`() throws {
        let server = try RunningServer()
        let client = try server.client()
        let paths = (0..<200).map { ["/memory", "/loop", "/worker"][$0 % 3] }
        client.send(paths.map { $0 == "/memory" ? get($0) : post($0, "body of \($0)") }.joined())
        for path in paths {
            #expect(client.answer()?.text == (path == "/memory" ? "memory" : "echo POST body of \(path)"))
        }
    }

    @Test func `answers a request that arrives byte by byte`() throws {
        let server = try RunningServer()
        let client = try server.client()
        for byte in (post("/worker", "ab") + get("/memory")).utf8 { client.send([byte]) }
        #expect(client.answer()?.text == "echo POST ab")
        #expect(client.answer()?.text == "memory")
    }

    @Test func `decodes chunks`() throws {
        let server = try RunningServer()
        let client = try server.client()
        let head = "POST /worker HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        client.send(head + "3;x=y\r\nabc\r\n")
        client.send("2\r\nde\r\n0\r\nT: u\r\n\r\n" + get("/memory"))
        #expect(client.answer()?.text == "echo POST abcde")
        #expect(client.answer()?.text == "memory")
    }

    @Test(arguments: ["/memory", "/loop", "/worker"])
    func `answers HEAD like GET without the body`(_ path: String) throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send(get(path).replacing("GET", with: "HEAD") + get("/memory"))
        let answer = client.answer(isHead: true)
        #expect(answer?.status == 200)
        #expect(answer?.field("Content-Length") == (path == "/memory" ? "6" : "10"))
        #expect(client.answer()?.text == "memory")
    }

    @Test(arguments: ["/memory", "/loop", "/worker", "/nowhere"])
    func `every answer has an id, a trusted proxy's where it sends one`(_ path: String) throws {
        var proxies = TrustedProxies()
        proxies.blocks = AddressBlock.list("127.0.0.0/8")
        let (alone, behind) = (try RunningServer(), try RunningServer { $0.proxies = proxies })
        func id(_ server: RunningServer, _ fields: String = "") throws -> String {
            let client = try server.client()
            client.send(get(path, fields))
            return try #require(client.answer()?.field("X-Request-ID"))
        }
        let sent = "X-Request-ID: from.the-proxy_1\r\n"
        #expect(try id(behind, sent) == "from.the-proxy_1")
        for (server, fields) in [(alone, ""), (alone, sent), (behind, ""), (behind, sent + sent), (behind, "X-Request-ID: a b\r\n")] {
            #expect(try id(server, fields).utf8.count == 16)
        }
        alone.server.trust(proxies)
        // The loops are notified one by one, also for connections that are open.
        #expect(eventually { (try? id(alone, sent)) == "from.the-proxy_1" })
    }

    @Test func `each answer from the cache has an id of its own, also a 304`() throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send(get("/memory") + get("/memory", "If-None-Match: \"1\"\r\n") + get("/memory"))
        let answers = (0..<3).map { _ in client.answer() }
        #expect(answers.map { $0?.status } == [200, 304, 200])
        #expect(Set(answers.map { $0?.field("X-Request-ID") }).count == 3)
    }

    @Test func `answers 304 from the cache`() throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send(get("/memory", "If-None-Match: \"0\", W/\"1\"\r\n") + get("/memory"))
        let answer = client.answer()
        #expect(answer?.status == 304)
        #expect(answer?.field("Content-Length") == nil && answer?.field("ETag") == "\"1\"")
        #expect(client.answer()?.head.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
    }

    @Test func `does not use the cache for a request with a repeated known field`() throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send(get("/memory", "Accept: a/b\r\nAccept: c/d\r\n"))
        #expect(client.answer()?.text == "echo GET ")
    }

    @Test(arguments: [("1.1", "close", "close"), ("1.0", "keep-alive", "keep-alive"), ("1.0", "x", "close")])
    func `closes or keeps the connection as requested`(_ version: String, _ option: String, _ said: String) throws {
        let server = try RunningServer()
        for path in ["/memory", "/worker"] {
            let client = try server.client()
            client.send("GET \(path) HTTP/\(version)\r\nHost: a\r\nConnection: \(option)\r\n\r\n")
            #expect(client.answer()?.field("Connection") == said)
            if said == "close" { #expect(client.hasEnded()) }
        }
    }

    @Test(arguments: ["/memory", "/worker", "/gate"])
    func `answers a client that has shut down its sending side`(_ path: String) throws {
        let echo = Echo()
        let server = try RunningServer([echo])
        let client = try server.client()
        client.send(get(path))
        client.endSending()
        echo.gate.open()
        #expect(client.answer()?.status == 200)
        #expect(client.hasEnded())
    }

    @Test func `sends 100 Continue`() throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send("POST /worker HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(client.answer()?.status == 100)
        client.send("ab")
        #expect(client.answer()?.text == "echo POST ab")
        client.send(post("/worker", "cd", "Expect: 100-continue\r\n"))
        #expect(client.answer()?.text == "echo POST cd")
        client.send("POST /worker HTTP/1.0\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        client.send("ef")
        #expect(client.answer()?.text == "echo POST ef")
    }

    @Test(arguments: [
        ("Content-Length: 2000000", 413, "/worker"), ("Content-Length: 5", 404, "/nowhere"), ("Content-Length: 5", 401, "/closed"),
        ("Transfer-Encoding: chunked", 401, "/closed"), ("Content-Length: 2000000", 401, "/closed"),
        ("Content-Length: 2000000", 413, "/open"),
    ])
    func `sends no 100 Continue for a body that is refused or ignored`(_ field: String, _ status: Int, _ path: String) throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(field)\r\n\r\n")
        let answer = client.answer()
        #expect(answer?.status == status)
        #expect(answer?.field("Connection") == "close")
    }

    @Test func `skips an ignored body`() throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send(post("/nowhere", "abc") + get("/memory"))
        #expect(client.answer()?.status == 404)
        #expect(client.answer()?.text == "memory")
    }

    @Test func `lets the client read the refusal of a large body`() throws {
        let server = try RunningServer()
        for framing in ["Content-Length: 6000000", "Transfer-Encoding: chunked"] {
            let client = try server.client()
            client.send("POST /worker HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n5B8D80\r\n")
            client.send([UInt8](repeating: 0x61, count: 6_000_000))
            #expect(client.answer()?.status == 413)
            #expect(client.hasEnded())
        }
    }

    @Test func `refuses with problem details`() throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send(get("/memory") + "GET / HTTP/1.1\r\n\r\n" + get("/memory"))
        #expect(client.answer()?.status == 200)
        let answer = client.answer()
        #expect(answer?.status == 400)
        #expect(answer?.field("Content-Type") == "application/problem+json")
        #expect(answer?.text.contains(#""type":"/problems/bad-request""#) == true)
        #expect(answer?.text.contains(#""instance":"0000000000000abc""#) == true)
        #expect(client.hasEnded())
    }

    @Test func `knows the peer and makes ids`() throws {
        for host in ["127.0.0.1:0", "[::1]:0"] {
            let server = try RunningServer(on: host)
            let client = try server.client()
            client.send(get("/worker"))
            let answer = client.answer()
            #expect(answer?.field("X-Peer") == server.address.host)
            #expect(answer?.field("X-Id") == "0000000000000abc")
        }
    }

    @Test func `serves each address by its own handler`() throws {
        let server = try RunningServer([Echo(name: "client"), Echo(name: "admin")])
        #expect(Set(server.addresses.map(\.port)).count == 2)
        for (address, name) in zip(server.addresses, ["client", "admin"]) {
            let client = try Client(address)
            client.send(get("/worker"))
            #expect(client.answer()?.text == "\(name) GET ")
        }
    }

    @Test func `refuses an address that is in use`() throws {
        let server = try RunningServer()
        #expect(throws: SystemError.self) { try RunningServer(on: server.address.description) }
    }

    @Test func `counts`() throws {
        let metrics = CountingMetrics()
        do {
            let server = try RunningServer(metrics: metrics)
            let client = try server.client()
            client.send(get("/memory") + get("/worker") + "bad\r\n")
            while client.answer() != nil {}
        }
        metrics.counts.withLock { counts in
            #expect(counts.records == ["memory GET 200", "worker GET 200", "- - 400"])
            #expect(counts.opened == 1 && counts.closed == 1)
        }
    }
}
