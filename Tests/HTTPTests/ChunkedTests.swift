import Testing

@testable import HTTP

@Suite struct ChunkedTests {
    private func verdict(_ chunks: String, _ feeding: Feeding, bodyLimit: Int = 100) -> Verdict {
        HTTPTests.verdict("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, feeding, bodyLimit: bodyLimit)
    }

    @Test(arguments: [
        "5\r\nhello\r\n0\r\n\r\n", "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n", "0000000000000005\r\nhello\r\n00\r\n\r\n",
        "5;a\r\nhello\r\n0\r\n\r\n", "5;a=b;c=\"d;e\\\"\"\r\nhello\r\n0;x\r\n\r\n", "5 ; a = b\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello\r\n0\r\nX: y\r\nContent-Length: 7\r\n\r\n",
    ])
    func `decodes`(_ chunks: String) {
        for feeding in Feeding.allCases {
            guard case .request(_, "hello", 0) = verdict(chunks, feeding) else {
                Issue.record("\(verdict(chunks, feeding))")
                return
            }
        }
    }

    @Test(arguments: [
        ("+5\r\nhello\r\n0\r\n\r\n", 400), ("-5\r\n", 400), ("0x5\r\n", 400), ("\r\n", 400), (" 5\r\n", 400), ("5 \r\n", 400),
        ("g\r\n", 400),
        ("5\nhello\r\n", 400), ("5\r\nhello0\r\n\r\n", 400), ("5\r\nhello\n0\r\n\r\n", 400), ("5\r\nhelloX\r\n", 400), ("5\rXhello", 400),
        ("00000000000000005\r\n", 400), ("FFFFFFFFFFFFFFFFF\r\n", 400), ("FFFFFFFFFFFFFFFF\r\n", 413), ("8000000000000000\r\n", 413),
        ("65\r\n", 413), ("5;\r\n", 400), ("5;a=\r\n", 400), ("5;a=\"b\r\n", 400), ("5;a\nb\r\n", 400), ("5;a b\r\n", 400),
        ("5,a\r\n", 400),
        ("5;\0\r\n", 400), ("0\r\nX : y\r\n\r\n", 400), ("0\r\n X: y\r\n\r\n", 400), ("0\r\nX: y\n\r\n", 400), ("0\r\n\n", 400),
        ("0\r\nX: \0\r\n\r\n", 400), ("0\r\n\rX\r\n", 400),
    ])
    func `refuses`(_ chunks: String, _ status: Int) {
        for feeding in Feeding.allCases { #expect(verdict(chunks, feeding).status == status) }
    }

    @Test(arguments: Feeding.allCases)
    func `bounds data, extensions and trailers`(_ feeding: Feeding) {
        let chunk = String(repeating: "a", count: 10)
        let chunks = { (count: Int) in String(repeating: "a\r\n\(chunk)\r\n", count: count) + "0\r\n\r\n" }
        #expect(verdict(chunks(10), feeding).status == nil)
        #expect(verdict(chunks(11), feeding).status == 413)
        #expect(verdict("5;" + String(repeating: "a", count: 17_000), feeding).status == 400)
        #expect(verdict("0\r\nX: " + String(repeating: "a", count: 17_000), feeding).status == 431)
        #expect(verdict("0\r\n" + String(repeating: "X: y\r\n", count: 101), feeding).status == 431)
    }
}
