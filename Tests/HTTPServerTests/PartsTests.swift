import Dispatch
import Glibc
import Synchronization
import Testing

@testable import HTTPServer
@testable import Platform

@Suite struct PartsTests {
    @Test(
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:0", "[::1]:0"), ("localhost:80", "127.0.0.1:80"),
            ("0.0.0.0:65535", "0.0.0.0:65535"),
            ("", nil), ("8080", nil), (":8080", "0.0.0.0:8080"), ("127.0.0.1", nil), ("127.0.0.1:65536", nil), ("127.0.0.1:-1", nil),
            ("::1:80", nil),
            ("[127.0.0.1]:80", nil), ("example.com:80", nil), ("1.2.3:80", nil),
        ] as [(String, String?)])
    func `reads addresses`(_ text: String, _ description: String?) {
        #expect(SocketAddress(text)?.description == description)
    }

    @Test func `reports each deadline once and only when it is over`() throws {
        var deadlines = try Deadlines()
        deadlines.set(3, to: 100)
        deadlines.set(5, to: 200)
        deadlines.set(7, to: 300)
        deadlines.set(5, to: 400)
        #expect(deadlines.expired(at: 99) == [])
        #expect(deadlines.expired(at: 300) == [3, 7])
        #expect(deadlines.expired(at: 300) == [])
        #expect(deadlines.expired(at: 400) == [5])
    }

    @Test func `a pool runs at most width jobs at a time and queues at most limit`() {
        let pool = WorkerPool("test", width: 3, limit: 5, isBackground: false)
        let gate = DispatchSemaphore(value: 0)
        let arrivals = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        let running = Mutex((now: 0, most: 0))
        var taken = 0
        for _ in 0..<20 {
            done.enter()
            let isTaken = pool.submit {
                running.withLock {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                arrivals.signal()
                gate.wait()
                running.withLock { $0.now -= 1 }
                done.leave()
            }
            if isTaken { taken += 1 } else { done.leave() }
        }
        #expect(taken == 8)
        #expect(pool.depth == 5)
        for _ in 0..<3 { arrivals.wait() }
        for _ in 0..<8 { gate.signal() }
        done.wait()
        #expect(running.withLock { $0.most } == 3)
        #expect(pool.depth == 0)
        let again = DispatchSemaphore(value: 0)
        #expect(pool.submit { again.signal() })
        again.wait()
    }

    @Test func `a failed call says its name and reason`() {
        let error = #expect(throws: SystemError.self) { try check("close", close(-1)) }
        #expect(error == SystemError(call: "close", errno: EBADF))
        #expect(error?.description == "close: Bad file descriptor")
    }
}
