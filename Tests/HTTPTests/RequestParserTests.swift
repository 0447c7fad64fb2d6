import Testing

@testable import HTTP

private let host = "Host: a\r\n"

@Suite struct RequestParserTests {
    @Test func `reads a head`() {
        let verdict = verdict("GET /a%20b?x=1 HTTP/1.1\r\nHost: example.com:80\r\nX-Y:  z \t\r\n\r\nrest")
        #expect(verdict == .request("GET /a%20b?x=1 1.1 keep=true [Host=example.com:80] [X-Y=z]", body: "", rest: 4))
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: a\n\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
        "GET / HTTP/1.1\rHost: a\r\n\r\n", "GET / HTTP/1.1\r\nX: a\rb\r\n\(host)\r\n", "GET / HTTP/1.1\r\nX: a\r\r\n\(host)\r\n",
        "\nGET / HTTP/1.1\r\n\(host)\r\n", "\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n",
    ])
    func `refuses every line end but CR LF`(_ text: String) { #expect(verdict(text).status == 400) }

    @Test(
        arguments: [
            " folded: x", "\tfolded", "X : y", "X\t: y", ": y", "", "X", "X y", "X\0: y", "X\u{7F}: y", "X: a\0b", "X: a\u{1}b",
            "X: a\u{7F}",
            "X@: y", "X(: y", "é: y", "X\"y: z",
        ].filter { !$0.isEmpty })
    func `refuses malformed fields`(_ line: String) {
        #expect(verdict("GET / HTTP/1.1\r\n\(host)\(line)\r\n\r\n").status == 400)
    }

    @Test(arguments: ["X:y", "X:", "X: \t ", "x-!#$%&'*+.^_`|~9: ok", "X: a\tb c", "X: é", "X: \"a, b\""])
    func `accepts unusual but valid fields`(_ line: String) {
        #expect(verdict("GET / HTTP/1.1\r\n\(host)\(line)\r\n\r\n").status == nil)
    }

    @Test(arguments: [
        "", "Host: \r\n", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: u@a\r\n",
        "Host: a:b\r\n", "Host: a:99999\r\n", "Host: [::1\r\n", "Host: [x]\r\n", "Host: [1:2]\r\n", "Host: [::::]\r\n",
        "Host: [1.2.3.4]\r\n", "Host: a, b\r\n", "Host: a%zz\r\n", "Host: :80\r\n",
    ])
    func `refuses a missing or malformed Host`(_ fields: String) {
        #expect(verdict("GET / HTTP/1.1\r\n\(fields)\r\n").status == 400)
    }

    @Test(arguments: [
        "a", "a.b:80", "127.0.0.1:8080", "[::1]", "[::1]:8080", "[1:2:3:4:5:6:7:8]", "[::ffff:192.0.2.1]", "a:", "a_b", "%41",
    ])
    func `accepts valid hosts`(_ host: String) {
        #expect(verdict("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").status == nil)
    }

    @Test func `HTTP 1.0 needs no Host but no two either`() {
        #expect(verdict("GET / HTTP/1.0\r\n\r\n") == .request("GET / 1.0 keep=false", body: "", rest: 0))
        #expect(verdict("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n").status == 400)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1x", 400), ("GET /", 400), ("GET / ", 400), ("GET  / HTTP/1.1", 400), ("GET /  HTTP/1.1", 400),
        (" GET / HTTP/1.1", 400), ("GET / HTTP/1.1 ", 400), ("GET / http/1.1", 400), ("GET / HTTP/1.10", 400), ("GET / HTTP/11", 400),
        ("G@T / HTTP/1.1", 400), ("GET\t/ HTTP/1.1", 400), ("GET / HTTP/2.0", 505), ("PRI * HTTP/2.0", 505), ("GET / HTTP/0.9", 505),
        ("GET / HTTP/1.2", 200), ("BREW / HTTP/1.1", 200), ("get / HTTP/1.1", 200), ("GET /é HTTP/1.1", 400), ("GET /a#b HTTP/1.1", 400),
        ("GET /% HTTP/1.1", 400), ("GET /%4 HTTP/1.1", 400), ("GET /%4g HTTP/1.1", 400), ("GET /?% HTTP/1.1", 400),
        ("GET /%FF HTTP/1.1", 400), ("GET /%00 HTTP/1.1", 400), ("GET /?a=%FF HTTP/1.1", 400), ("GET /a\\b HTTP/1.1", 400),
        ("GET /<a> HTTP/1.1", 400), ("GET /a|b HTTP/1.1", 400), ("GET /a\"b HTTP/1.1", 400), ("GET a HTTP/1.1", 400),
        ("GET * HTTP/1.1", 400), ("OPTIONS * HTTP/1.1", 200), ("GET ** HTTP/1.1", 400), ("GET a:80 HTTP/1.1", 400),
        ("CONNECT a:80 HTTP/1.1", 501), ("CONNECT / HTTP/1.1", 400), ("CONNECT a HTTP/1.1", 400),
        ("GET http://a/b?c HTTP/1.1", 200), ("GET HTTPS://a HTTP/1.1", 200), ("GET http:///b HTTP/1.1", 400),
        ("GET http://u@a/ HTTP/1.1", 400), ("GET http:/a HTTP/1.1", 400), ("GET ftp://a/ HTTP/1.1", 400), ("GET http://a b/ HTTP/1.1", 400),
        ("GET /a+b?c+d=e/f?g HTTP/1.1", 200), ("GET //a HTTP/1.1", 200), ("\u{16}\u{3}\u{1}", 400), ("GET /\u{1} HTTP/1.1", 400),
    ])
    func `checks the request line`(_ line: String, _ status: Int) {
        #expect((verdict("\(line)\r\n\(host)\r\n").status ?? 200) == status)
    }

    @Test func `refuses a TLS handshake at its first byte`() {
        #expect(verdict([0x16]).status == 400)
    }

    @Test(arguments: [
        ("Content-Length: 3", 200), ("Content-Length: 003", 200), ("Content-Length: +3", 400), ("Content-Length: -3", 400),
        ("Content-Length: 3 3", 400), ("Content-Length: 3, 3", 400), ("Content-Length: 0x3", 400), ("Content-Length: 3.0", 400),
        ("Content-Length:", 400), ("Content-Length: 3\r\nContent-Length: 3", 400), ("Content-Length: 3\r\nContent-Length: 4", 400),
        ("Content-Length: 9223372036854775808", 400), ("Content-Length: 99999999999999999999", 400),
        ("Content-Length: 9223372036854775807", 413), ("Content-Length: 1048577", 413), ("Content-Length: ３", 400),
        ("Content-Length: 3\r\nTransfer-Encoding: chunked", 400), ("Transfer-Encoding: chunked\r\nContent-Length: 3", 400),
        ("Content-Length: 0\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: identity", 400), ("Transfer-Encoding: gzip", 400), ("Transfer-Encoding: gzip, chunked", 501),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 501), ("Transfer-Encoding: xchunked", 400),
        ("Transfer-Encoding: chunked, gzip", 400), ("Transfer-Encoding: chunked, chunked", 400),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400), ("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", 400),
        ("Transfer-Encoding:", 400), ("Transfer-Encoding: , chunked", 400), ("Transfer-Encoding: chunked;a=b", 400),
        ("Transfer-Encoding: \"chunked\"", 400), ("Transfer-Encoding : chunked", 400), ("Transfer-Encoding: chunked\u{B}", 400),
    ])
    func `refuses ambiguous framing`(_ fields: String, _ status: Int) {
        for feeding in Feeding.allCases {
            #expect((verdict("POST / HTTP/1.1\r\n\(host)\(fields)\r\n\r\nabc", feeding).status ?? 200) == status)
        }
    }

    @Test func `HTTP 1.0 has no transfer codings`() {
        #expect(verdict("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n").status == 400)
    }

    @Test func `transfer codings are case-insensitive`() {
        #expect(verdict("POST / HTTP/1.1\r\n\(host)Transfer-Encoding: ChunKed\r\n\r\n0\r\n\r\n").status == nil)
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "Connection: close", false), ("1.1", "Connection: Foo, CLOSE", false), ("1.0", "", false),
        ("1.0", "Connection: keep-alive", true), ("1.0", "Connection: keep-alive, close", false), ("1.1", "Connection: keep-alive", true),
    ])
    func `decides whether the connection persists`(_ version: String, _ field: String, _ keeps: Bool) {
        let text = "GET / HTTP/\(version)\r\n\(host)\(field.isEmpty ? "" : field + "\r\n")\r\n"
        #expect(verdict(text).description.contains("keep=\(keeps)"))
    }

    @Test(
        arguments: [
            ("1.1", "100-continue", true, nil), ("1.1", "100-Continue", true, nil), ("1.0", "100-continue", false, nil),
            ("1.1", "something", false, 417), ("1.1", "100-continue, x", false, 417),
        ] as [(String, String, Bool, Int?)])
    func `knows one expectation`(_ version: String, _ value: String, _ expects: Bool, _ status: Int?) {
        let verdict = verdict("POST / HTTP/\(version)\r\n\(host)Expect: \(value)\r\nContent-Length: 1\r\n\r\nx")
        #expect(verdict.status == status)
        #expect(verdict.description.contains("expects") == expects)
    }

    @Test(arguments: Feeding.allCases)
    func `bounds target and fields`(_ feeding: Feeding) {
        let target = { (count: Int) in "GET /" + String(repeating: "a", count: count - 1) + " HTTP/1.1\r\n\(host)\r\n" }
        #expect(verdict(target(8192), feeding).status == nil)
        #expect(verdict(target(8193), feeding).status == 414)
        #expect(verdict(target(100_000), feeding).status == 414)
        let fields = { (count: Int) in
            "GET / HTTP/1.1\r\n\(host)X: " + String(repeating: "a", count: count - host.utf8.count - 7) + "\r\n\r\n"
        }
        #expect(verdict(fields(16 << 10), feeding).status == nil)
        #expect(verdict(fields((16 << 10) + 1), feeding).status == 431)
        let lines = { (count: Int) in
            "GET / HTTP/1.1\r\n\(host)" + String(repeating: "X: y\r\n", count: count - 1) + "\r\n"
        }
        #expect(verdict(lines(100), feeding).status == nil)
        #expect(verdict(lines(101), feeding).status == 431)
        #expect(verdict("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 20_000), feeding).status == 431)
        #expect(verdict(String(repeating: "A", count: 20_000), feeding).status == 414)
    }

    @Test func `gives the same result for every fragmentation`() {
        let messages = [
            "GET / HTTP/1.1\r\n\(host)\r\n", "\r\nGET / HTTP/1.1\r\n\(host)\r\n", "GET / HTTP/1.1\r\n\(host)X : y\r\n\r\n",
            "POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhelloGET", "GET /?a=%zz HTTP/1.1\r\n\(host)\r\n", "GET / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n5;a=\"b\\\"\"\r\nhello\r\n0\r\nX: y\r\n\r\nrest",
        ]
        var random = SplitMix(state: 7)
        for message in messages {
            for round in 0..<200 {
                var bytes = Array(message.utf8)
                for _ in 0..<Int.random(in: 0...2, using: &random) where round > 0 {
                    let place = Int.random(in: bytes.indices, using: &random)
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert([0, 9, 10, 13, 32, 58, 59].randomElement(using: &random) ?? 0, at: place)
                    }
                }
                let whole = verdict(bytes)
                #expect(verdict(bytes, .byteByByte) == whole, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
                #expect(verdict(bytes, .randomCuts, seed: UInt64(round)) == whole)
            }
        }
    }

    @Test func `records known fields and their repetition`() {
        var parser = RequestParser()
        let bytes = Array("GET /x HTTP/1.1\r\n\(host)ACCEPT: a/b\r\nIf-None-Match: \"1\"\r\naccept: c/d\r\n\r\n".utf8)
        guard case .head = parser.parse(bytes.span) else {
            Issue.record("no head")
            return
        }
        #expect(parser.head.ifNoneMatch.map { bytes.span.text($0) } == "\"1\"")
        #expect(parser.head.repeatsKnownField)
        parser.reset()
        #expect(!parser.head.repeatsKnownField && parser.head.fields.isEmpty && parser.head.accept == nil)
    }
}
