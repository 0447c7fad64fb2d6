import Dispatch
import Glibc
import HTTP
import Testing

@testable import HTTPServer

@Suite struct DrainTests {
    @Test func `an event loop that is held up has not turned`() throws {
        let gate = Gate()
        struct Held: Handler {
            let gate: Gate
            func route(_ request: Request) -> RouteDecision {
                RouteDecision(name: "held", body: .ignored, runs: .onLoop) { gate.pass($0) }
            }
        }
        let server = try RunningServer([Held(gate: gate)])
        _ = server.server.haveLoopsTurned()
        #expect(eventually { server.server.haveLoopsTurned() })
        let client = try server.client()
        client.send(get("/"))
        gate.waitForArrival()
        _ = server.server.haveLoopsTurned()
        #expect(!server.server.haveLoopsTurned())
        gate.open()
        #expect(client.answer()?.status == 200)
        #expect(eventually { server.server.haveLoopsTurned() })
    }

    @Test func `draining answers requests that have begun and closes other connections`() throws {
        let echo = Echo()
        let server = try RunningServer([echo])
        let idle = try server.client()
        idle.send(get("/memory"))
        #expect(idle.answer()?.status == 200)
        let working = try server.client()
        working.send(get("/gate"))
        echo.gate.waitForArrival()
        let partial = try server.client()
        partial.send(get("/memory") + "POST /worker HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab")
        let partialHead = try server.client()
        partialHead.send(get("/memory") + "GET /memory HTTP/1.1\r\n")
        // The answer shows that the bytes after its request were read too.
        for client in [partial, partialHead] { #expect(client.answer()?.text == "memory") }
        let drained = DispatchSemaphore(value: 0)
        let count = DispatchQueue(label: "drain")
        count.async { [server = server.server] in
            #expect(server.drain(timeout: .seconds(60)) == 0)
            drained.signal()
        }
        #expect(idle.hasEnded())
        // The other loop may close its listening socket later.
        #expect(eventually { (try? server.client()) == nil })
        echo.gate.open()
        partial.send("cd")
        partialHead.send("Host: a\r\n\r\n")
        for (client, text) in [(partial, "echo POST abcd"), (partialHead, "memory"), (working, "passed")] {
            let answer = client.answer()
            #expect(answer?.text == text)
            #expect(answer?.field("Connection") == "close")
            #expect(client.hasEnded())
        }
        drained.wait()
    }

    @Test func `draining closes connections after the timeout`() throws {
        let echo = Echo()
        let server = try RunningServer([echo])
        let client = try server.client()
        client.send(get("/gate"))
        echo.gate.waitForArrival()
        #expect(server.server.drain(timeout: .milliseconds(200)) == 1)
        #expect(client.answer() == nil)
        echo.gate.open()
    }
}
