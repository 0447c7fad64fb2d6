import Testing

@testable import HTTP

@Suite struct BodyDecoderTests {
    /// The body and what was left over, or the status it was refused with.
    private func decode(_ text: String, _ framing: RequestHead.Framing, limit: Int = 100, pieces: Int? = nil) -> (String?, Int?) {
        guard var decoder = try? BodyDecoder(framing, limit: limit) else { return (nil, 413) }
        let bytes = Array(text.utf8)
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + (pieces ?? bytes.count))
            let (taken, result) = bytes[position..<end].withUnsafeBytes { decoder.take($0) }
            position += taken
            switch result {
            case .needsMore: continue
            case .complete:
                return (String(decoding: decoder.body, as: UTF8.self) + "|" + String(decoding: bytes[position...], as: UTF8.self), nil)
            case .refused(let failure): return (nil, failure.status.code)
            }
        }
        return (nil, nil)
    }

    @Test(arguments: [1, 2, 3, 1000]) func `collects a body of known length and leaves the rest`(_ pieces: Int) {
        #expect(decode("hello GET", .length(5), pieces: pieces) == ("hello| GET", nil))
    }

    @Test(arguments: [
        ("5\r\nhello\r\n0\r\n\r\nNEXT", "hello|NEXT"), ("1;a=b\r\nx\r\n00\r\nT: v\r\n\r\n", "x|"),
        ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789|"),
        ("A;x=\"y\"\r\n0123456789\r\n0\r\n\r\n", "0123456789|"), ("0\r\n\r\n", "|"),
    ]) func `reads chunks, byte by byte or whole`(_ text: String, _ expected: String) {
        for pieces in [1, 2, 7, 1000] { #expect(decode(text, .chunked, pieces: pieces).0 == expected) }
    }

    @Test(arguments: [
        "5\nhello\r\n0\r\n\r\n", "5\r\nhelloX\r\n0\r\n\r\n", "-5\r\nhello\r\n", "+5\r\nhello\r\n", "0x5\r\nhello\r\n", "g\r\n",
        "\r\nhello", "5 \r\nhello\r\n", "fffffffffffffffff\r\n", "5\r\nhello\n0\r\n\r\n", "0\r\nno colon\r\n\r\n", "0\r\n: x\r\n\r\n",
        "5;\u{1}\r\nhello", "0\r\nX: a\nb\r\n\r\n",
    ]) func `refuses chunk tricks`(_ text: String) {
        for pieces in [1, 1000] { #expect(decode(text, .chunked, limit: .max - 1, pieces: pieces).1 == 400) }
    }

    @Test(arguments: ["65\r\n", "10\r\n0123456789abcdef\r\n60\r\n", "7fffffffffffff\r\n"])
    func `refuses more than the limit as soon as it is announced`(_ text: String) {
        #expect(decode(text, .chunked).1 == 413)
    }

    @Test func `refuses a length over the limit at once`() {
        #expect(decode("", .length(101)).1 == 413)
    }
}
