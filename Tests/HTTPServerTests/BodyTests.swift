import HTTP
import Testing

@testable import HTTPServer

@Suite struct BodyTests {
    @Test(arguments: ["Content-Length: 1000000", "Transfer-Encoding: chunked", "Content-Length: 5\r\nExpect: 100-continue"])
    func `an unauthorized body is refused before it is sent`(_ framing: String) throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send("POST /closed HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
        let answer = client.answer()
        #expect(answer?.status == 401 && answer?.field("Connection") == "close")
        #expect(client.hasEnded())
    }

    @Test func `the client can read a refusal while it sends the body`() throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send("POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        client.send([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(client.answer()?.status == 401)
        #expect(client.hasEnded())
    }

    @Test func `reads a body that is admitted to its end and no further`() throws {
        let server = try RunningServer()
        let client = try server.client()
        let body = String(repeating: "b", count: 300_000)
        client.send(post("/open", body) + get("/memory"))
        #expect(client.answer()?.body.count == body.utf8.count + "echo POST ".utf8.count)
        #expect(client.answer()?.text == "memory")
        client.send("POST /open HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n")
        #expect(client.answer()?.status == 100)
        client.send("2\r\nab\r\n0\r\n\r\n" + get("/memory"))
        #expect(client.answer()?.text == "echo POST ab")
        #expect(client.answer()?.text == "memory")
        client.send("POST /open HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n2\r\ncd\r\n0\r\n\r\n")
        #expect(client.answer()?.text == "echo POST cd")
    }

    @Test func `bounds the memory of all bodies together`() throws {
        let server = try RunningServer { $0.bodyBudget = 4 << 20 }
        let body = [UInt8](repeating: 0x61, count: 1_000_000)
        let announced = "POST /open HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(body.count)\r\n\r\n"
        let clients = try (0..<3).map { _ in try server.client() }
        for client in clients {
            client.send(announced)
            #expect(client.answer()?.status == 100)
        }
        let late = try server.client()
        late.send(announced)
        let refusal = late.answer()
        #expect(refusal?.status == 503 && refusal?.field("Retry-After") == "1" && refusal?.field("Connection") == "close")
        #expect(late.hasEnded())
        let small = try server.client()
        small.send(post("/open", "small"))
        #expect(small.answer()?.text == "echo POST small")
        clients[0].send(body)
        #expect(clients[0].answer()?.status == 200)
        clients[0].send(announced)
        #expect(clients[0].answer()?.status == 100)
    }

    @Test(arguments: [("Content-Length: 3", 3), ("Expect: 100-continue\r\nContent-Length: 3", 0), ("Transfer-Encoding: chunked", 0)])
    func `a head is checked once`(_ framing: String, _ bytesAtCheck: Int) throws {
        let server = try RunningServer()
        let client = try server.client()
        client.send("POST /checked HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
        if framing.hasPrefix("Expect") { #expect(client.answer()?.status == 100) }
        client.send(framing.hasPrefix("Transfer") ? "3\r\nabc\r\n0\r\n\r\n" : "abc")
        #expect(client.answer()?.text == "POST with \(bytesAtCheck) bytes, then 3")
    }

    @Test func `a check alone does not make a sender authenticated`() throws {
        let server = try RunningServer { $0.bodyBudget = 1 << 20 }
        let client = try server.client()
        client.send("POST /checked HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n")
        client.send([UInt8](repeating: 0x61, count: 300_000))
        #expect(client.answer()?.status == 503)
    }

    @Test func `a body of unknown length is refused once the budget is exhausted`() throws {
        let server = try RunningServer { $0.bodyBudget = 1 << 20 }
        let client = try server.client()
        client.send("POST /worker HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nF4240\r\n")
        client.send([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(client.answer()?.status == 503)
        #expect(client.hasEnded())
    }

    @Test func `reserved memory is released`() {
        let budget = BodyBudget(bytes: 8 << 20)
        do {
            let large = BodyReservation(in: budget, for: .authenticated)
            #expect(large.reserve(.length(5 << 20)))
            #expect(!BodyReservation(in: budget, for: .authenticated).reserve(.length(2 << 20)))
            #expect(BodyReservation(in: budget, for: .authenticated).reserve(.length(1 << 20)))
            let stranger = BodyReservation(in: budget, for: .anonymous)
            #expect(stranger.reserve(.length(8 << 20)) && stranger.grow(to: 2 << 20))
            #expect(!stranger.grow(to: 2 << 20 + 1))
            #expect(budget.reserved == 7 << 20)
            #expect(large.reserve(.length(5 << 20)))
        }
        #expect(budget.reserved == 0)
    }
}
