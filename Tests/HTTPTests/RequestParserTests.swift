import Testing

@testable import HTTP

@Suite struct RequestParserTests {
    private static let sound = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "\r\nGET /v1/apps/a?lang=ko&x=%20 HTTP/1.1\r\nHost: a:80\r\nAccept: */*\r\n\r\n",
        "POST /taps HTTP/1.1\r\nHost: [::1]:8080\r\nContent-Length: 12\r\n\r\n",
        "PUT /x HTTP/1.1\r\nHost:\r\nTransfer-Encoding: Chunked\r\n\r\n",
        "GET http://example.org:80/x?y HTTP/1.1\r\nHost: example.org\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: \tä value \t\r\nX-Empty:\r\n\r\n",
    ]

    @Test(arguments: sound) func `reads a sound head, however it is cut`(_ text: String) {
        let whole = verdict(on: text)
        #expect(whole != .needsMore && whole.status == nil, "\(whole)")
        let count = text.utf8.count
        #expect(verdict(on: text, cuts: Array(1..<count)) == whole)
        var dice = Dice(UInt64(count))
        for _ in 0..<50 {
            let cuts = (0..<Int.random(in: 1...6, using: &dice)).map { _ in Int.random(in: 0..<count, using: &dice) }.sorted()
            #expect(verdict(on: text, cuts: cuts) == whole)
        }
    }

    @Test(arguments: sound) func `needs more of every true beginning`(_ text: String) {
        let bytes = Array(text.utf8)
        for end in 0..<bytes.count { #expect(verdict(on: Array(bytes[..<end])) == .needsMore) }
    }

    /// RFC 9112 section 6.3 and RFC 9110 section 8.6: two readers must not see two ends.
    @Test(arguments: [
        "Content-Length: 1\r\nTransfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 1",
        "Content-Length: 1\r\nContent-Length: 2", "Content-Length: 1, 1", "Content-Length: +1", "Content-Length: -1",
        "Content-Length: 0x1", "Content-Length: 1 1", "Content-Length:", "Content-Length: ١",
        "Transfer-Encoding: chunked, identity", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding:",
        "Transfer-Encoding: identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: ,chunked,",
    ]) func `refuses ambiguous framing`(_ fields: String) {
        let text = "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
        let status = verdict(on: text).status
        #expect(status == 400 || fields.hasPrefix("Transfer-Encoding: ,") && status == 501)
        #expect(verdict(on: text, cuts: Array(1..<text.utf8.count)).status == status)
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n: no name\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nN(me: x\r\n\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
        " GET / HTTP/1.1\r\nHost: a\r\n\r\n", "G T / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / http/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1\r\nHost: a\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:x\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /#f HTTP/1.1\r\nHost: a\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%2 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n", "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
    ]) func `refuses what two readers could take in two ways`(_ text: String) {
        #expect(verdict(on: text) == .refused(status: 400, code: "bad-request"))
        #expect(verdict(on: text, cuts: Array(1..<text.utf8.count)).status == 400)
    }

    @Test(arguments: [
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", 417),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("GET /\(String(repeating: "a", count: 8192)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 16 << 10))\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: 1\r\n", count: 100))\r\n", 431),
        ("GET /\(String(repeating: "a", count: 20_000))", 414),
    ]) func `refuses with the status that fits`(_ text: String, _ status: Int) {
        #expect(verdict(on: text).status == status)
    }

    @Test func `takes a target and fields of exactly the limit`() {
        let target = "/" + String(repeating: "a", count: (8 << 10) - 1)
        #expect(verdict(on: "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n").status == nil)
        let fields = String(repeating: "X: 1\r\n", count: 99)
        #expect(verdict(on: "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").status == nil)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n", true), ("GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n", false),
        ("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n", false), ("GET / HTTP/1.0\r\n", false),
        ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n", true), ("GET / HTTP/1.9\r\nHost: a\r\n", true),
    ]) func `knows whether the connection stays`(_ head: String, _ keepsAlive: Bool) {
        guard case .head(_, _, _, _, let kept, _) = verdict(on: head + "\r\n") else {
            Issue.record("not a head")
            return
        }
        #expect(kept == keepsAlive)
    }
}
