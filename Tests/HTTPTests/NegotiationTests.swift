import Testing

@testable import HTTP

@Suite struct NegotiationTests {
    private static let offers = ["application/json", "application/x-plist"]

    @Test(
        arguments: [
            (nil, "application/json"), ("*/*", "application/json"), ("application/*", "application/json"),
            ("APPLICATION/X-PLIST", "application/x-plist"),
            ("application/json;q=0.1, application/x-plist", "application/x-plist"), ("text/html", nil), ("*/*;q=0", nil),
            ("", "application/json"),
            ("application/json;q=0, */*", "application/x-plist"), ("text/html, */*;q=0.1", "application/json"),
            ("application/json;q=0.5, application/*;q=0.8", "application/x-plist"), ("application/json; charset=utf-8", "application/json"),
            ("application/json;v=2", nil), ("application/json;q=2, application/x-plist;q=0.1", "application/x-plist"),
            ("application/x-plist;q=1.000, application/json;q=0.999", "application/x-plist"), ("application/json ; q=0", nil),
        ] as [(String?, String?)])
    func `chooses a media type`(_ value: String?, _ choice: String?) { #expect(Accept(value).best(of: Self.offers) == choice) }

    @Test(
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true), ("gzip;q=0", false), ("*", true), ("*;q=0", false),
            ("identity", false), ("br", false), ("br, gzip;q=0.5", true), ("gzip;q=0.5, identity;q=0.8", false), ("gzip;q=0, *", false),
            ("gzip;q=0.001", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("gzip;q=0.0000", false), ("identity;q=1, *;q=0", false),
        ] as [(String?, Bool)])
    func `prefers gzip where asked for`(_ value: String?, _ prefers: Bool) { #expect(AcceptEncoding(value).prefers("gzip") == prefers) }

    @Test func `identity is acceptable unless excluded`() {
        #expect(AcceptEncoding("gzip").quality(of: "identity") > 0)
        #expect(AcceptEncoding("gzip, identity;q=0").quality(of: "identity") == 0)
        #expect(AcceptEncoding("gzip, *;q=0").quality(of: "identity") == 0)
    }

    @Test func `orders languages`() {
        let languages = AcceptLanguage("da, en-gb;q=0.8, en;q=0.7, de;q=0, *;q=0.1, zh-Hant;q=0.8, b@d, x;q=9")
        #expect(languages.ranges.map(\.tag) == ["da", "en-gb", "zh-hant", "en", "*"])
        #expect(languages.ranges.map(\.weight) == [1000, 800, 800, 700, 100])
        #expect(languages.excluded == ["de"])
        #expect(AcceptLanguage(nil).ranges.isEmpty)
        let spelled = AcceptLanguage("ko_KR, zh-Hans_CN;q=0.9, EN_us;q=0, ja_JP.UTF-8, _, a__b")
        #expect(spelled.ranges.map(\.tag) == ["ko-kr", "zh-hans-cn"] && spelled.excluded == ["en-us"])
    }

    @Test func `reads at most 32 preferences`() {
        let many = (0..<1000).map { "a\($0)" }.joined(separator: ", ")
        #expect(AcceptLanguage("ko, " + many).ranges.count == 32)
        #expect(Accept(many.replacing(",", with: "/x,") + "/x, application/json").quality(of: "application/json") == 0)
    }
}
