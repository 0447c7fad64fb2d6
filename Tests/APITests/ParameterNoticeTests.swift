import Testing

@testable import API

@Suite struct ParameterNoticeTests {
    private static let shortcuts: Set<ParameterNotice> = [.lang, .audience, .build, .scope, .revision]

    @Test(
        arguments: [
            ("language", .lang), ("locale", .lang), ("Lang", .lang), ("LANGUAGE", .lang), ("lnag", .lang), ("hl", .lang),
            ("Accept-Language", .lang), ("audiance", .audience), ("audeince", .audience), ("Audience", .audience),
            ("aud", .audience), ("biuld", .build), ("build_number", .build), ("CFBundleVersion", .build), ("revison", .revision),
            ("scop", .scope), ("version", .version), ("appVersion", .version),
        ] as [(String, ParameterNotice)])
    func `says which parameter a look-alike meant`(_ name: String, _ meant: ParameterNotice) {
        #expect(ParameterNotice([name], known: Self.shortcuts) == meant)
    }

    @Test(arguments: ["", "_", "v", "t", "cb", "utm_source", "page", "limit", "fields", "é", "langlanglanglanglanglanglang"])
    func `says nothing of what looks like none of ours`(_ name: String) {
        #expect(ParameterNotice([name], known: Self.shortcuts) == nil)
    }

    @Test func `says nothing of ours, nor of a look-alike beside the one that it looks like`() {
        #expect(ParameterNotice(["lang", "audience", "build", "scope", "revision"], known: Self.shortcuts) == nil)
        #expect(ParameterNotice(["language", "lang"], known: Self.shortcuts) == nil)
    }

    @Test func `knows what the route reads`() {
        #expect(ParameterNotice(["language"], known: [.audience]) == nil)
        #expect(ParameterNotice(["audiance"], known: [.audience]) == .audience)
    }

    @Test func `is the same whatever the order`() {
        #expect(ParameterNotice(["biuld", "x", "language"], known: Self.shortcuts) == .lang)
        #expect(ParameterNotice(["language", "biuld"], known: Self.shortcuts) == .lang)
    }

    @Test(arguments: ParameterNotice.allCases)
    func `has an example`(_ notice: ParameterNotice) {
        #expect(ParameterNotice([notice.example], known: Self.shortcuts) == notice)
    }

    @Test(arguments: ParameterNotice.allCases)
    func `is a field's value`(_ notice: ParameterNotice) {
        #expect(notice.text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(notice == .version || notice.text.contains("\"\(notice.rawValue)\""))
    }
}
