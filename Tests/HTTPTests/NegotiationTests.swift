import Testing

@testable import HTTP

@Suite struct NegotiationTests {
    private let offers = ["application/json", "application/x-plist"]

    @Test(arguments: [
        ("*/*", "application/json"), ("application/json", "application/json"), ("application/x-plist", "application/x-plist"),
        ("application/*", "application/json"), ("application/json;q=0.5, application/x-plist", "application/x-plist"),
        ("*/*;q=0.1, application/x-plist;q=0.2", "application/x-plist"), ("APPLICATION/JSON", "application/json"),
        ("application/json;q=0, */*", "application/x-plist"), ("text/html, */*;q=0.8", "application/json"),
    ]) func `chooses the offer that is liked best`(_ accept: String, _ expected: String) {
        #expect(preferredMediaType(accept, offers: offers) == expected)
    }

    @Test(arguments: ["text/html", "application/json;q=0, application/x-plist;q=0", "image/*", "*/*;q=0", ""])
    func `offers nothing to who likes nothing`(_ accept: String) {
        #expect(preferredMediaType(accept, offers: offers) == nil)
    }

    @Test(arguments: [
        ("gzip", true), ("gzip, deflate, br", true), ("*", true), ("gzip;q=0", false), ("identity", false), ("", false), ("br", false),
        ("gzip;q=0.5, identity", false), ("*;q=0, gzip", true), ("GZIP;q=0.5", true), ("gzip;q=2", false),
    ]) func `compresses for who asks`(_ field: String, _ expected: Bool) {
        #expect(acceptsGzip(field) == expected)
    }

    @Test func `orders ranges by weight, then by place`() {
        let ranges = WeightedRanges("en;q=0.5, ko, ja;q=0.9, de;q=0, fr;q=nonsense, zh;q=0.9")
        #expect(ranges.accepted == ["ko", "ja", "zh", "en"])
        #expect(ranges.refused == ["de"])
    }

    @Test(arguments: [
        ("\"a\"", true, true), ("W/\"a\"", false, true), ("\"b\", \"a\"", true, true), ("*", true, true), ("\"b\"", false, false),
        ("\"a,b\", \"c\"", false, false), ("a", false, false), ("", false, false),
    ]) func `compares entity tags strongly and weakly`(_ field: String, _ strong: Bool, _ weak: Bool) {
        let condition = EntityTagCondition(field)
        #expect(condition.matchesStrongly("\"a\"") == strong)
        #expect(condition.matchesWeakly("\"a\"") == weak)
    }

    @Test func `matches nothing where there is nothing`() {
        #expect(!EntityTagCondition("*").matchesStrongly(nil))
        #expect(!EntityTagCondition("*").matchesWeakly(nil))
    }

    @Test func `gzips what gunzip reads`() throws {
        let text = Array(String(repeating: "longpress ", count: 500).utf8)
        let packed = try #require(gzip(text))
        #expect(packed.starts(with: [0x1F, 0x8B, 0x08]))
        #expect(packed.count < text.count / 10)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
    ]) func `writes dates as RFC 9110 has them`(_ seconds: Int, _ expected: String) {
        #expect(String(decoding: HTTPDate.bytes(seconds), as: UTF8.self) == expected)
    }
}
