import Testing

@testable import Shortcuts

@Suite struct DamagedTagTests {
    @Test(
        arguments: [
            ("longpress.schema", nil), ("longpress.schema", "2"), ("longpress.schema", #""one""#), ("longpress.schema", "true"),
            ("longpress.schema", #""""#), ("longpress.schema", #""+1""#), ("longpress.schema", "null"),
            ("longpress.schema", "99999999999999999999"),
            ("longpress.item", nil), ("longpress.item", #""a b""#), ("longpress.item", "1"), ("longpress.item", #""""#),
            ("longpress.version", nil), ("longpress.version", #""x""#), ("longpress.version", "2"), ("longpress.version", #""1.0+""#),
            ("longpress.version", "[1]"),
        ] as [(String, String?)])
    func `an unusable tag leaves the type`(name: String, value: String?) throws {
        let timelines = [try timeline(["1.0": "a b"])]
        let answer = try resolve("a@1.0", installed: "1.0", in: timelines, changing: [name: try value.map(read)])
        #expect(answer.summary == "untagged unknown a - true")
    }

    @Test(
        arguments: [
            ("longpress.schema", #""1""#, "current same a - false"), ("longpress.revision", #""1""#, "current same a - false"),
            ("longpress.revision", nil, "equivalent same a - true"), ("longpress.revision", "9", "equivalent same a - true"),
            ("longpress.revision", #""x""#, "equivalent same a - true"),
            ("longpress.revision", "1e999", "equivalent same a - true"), ("longpress.language", nil, "equivalent same a - true"),
            ("longpress.language", #""fr""#, "equivalent same a - true"), ("longpress.language", #""!""#, "equivalent same a - true"),
            ("longpress.language", #""EN""#, "current same a - false"),
            ("longpress.action", nil, "changed same a - true"), ("longpress.action", #""0""#, "changed same a - true"),
            ("longpress.action", "5", "changed same a - true"), ("longpress.url", #""javascript:x""#, "current same a - false"),
            ("longpress.url", "{}", "current same a - false"),
            ("longpress.version", #""01.0.0""#, "current same a - false"),
        ] as [(String, String?, String)])
    func `an odd member is never an error`(name: String, value: String?, expected: String) throws {
        #expect(
            try resolve("a@1.0", installed: "1.0", in: [try timeline(["1.0": "a b"])], changing: [name: try value.map(read)]).summary
                == expected)
    }

    @Test(arguments: [
        ("type.a", "1.0", "untagged unknown a - true"), ("type.off", "1.0", "unknown unknown - notes://f true"),
        ("type.zz", "1.0", "unknown unknown - notes://f true"), ("static", "1.0", "static unknown - - false"),
        ("static", "0.5", "unknown unknown - app://f true"), ("static", "0.9", "static unknown - - false"),
        ("type.a", "0.5", "unknown unknown - app://f true"), ("twin", "1.0", "unknown unknown - notes://f true"),
        ("TYPE.A", "1.0", "unknown unknown - notes://f true"),
    ])
    func `without a tag only the type is left`(type: String, installed: String, expected: String) throws {
        let set = try set(
            #"{"items":[{"id":"a","type":"type.a","title":{"en":"T"}},{"id":"off","type":"type.off","title":{"en":"T"},"enabled":false},{"id":"t1","type":"twin","title":{"en":"T"}},{"id":"t2","type":"twin","title":{"en":"T"}}],"fallbackURL":"notes://f"}"#
        )
        let published = PublishedSet(version: try version("1.0"), revision: 1, publishedAt: author.at, by: "ci", set: set)
        let releases = [try release("0.9", #"{"staticItems":[{"type":"static","title":"T"}]}"#)]
        #expect(
            try resolve(
                type, installed: installed, in: [Timeline(audience: .default, sets: [published])], app: try app(fallbackURL: "app://f"),
                releases: releases
            ).summary == expected)
    }

    @Test func `a static item wins over an item of the same type`() throws {
        let releases = [try release("1.0", #"{"staticItems":[{"type":"type.a","title":"T"}]}"#)]
        #expect(
            try resolve("type.a", installed: "1.0", in: [try timeline(["1.0": "a"])], releases: releases).summary
                == "static unknown - - false")
        #expect(
            try resolve("a@1.0", installed: "1.0", in: [try timeline(["1.0": "a"])], releases: releases).summary
                == "current same a - false", "a tag goes first")
    }

    @Test func `the answer has the tapped userInfo without the tag`() throws {
        let answer = try resolve(
            "a@1.0", installed: "1.0", in: [try timeline(["1.0": "a"])],
            changing: ["longpress.action": .string("f"), "x": try read(#"{"$date":5,"n":null,"big":1e999}"#)])
        #expect(answer["outcome"]?.text == #""changed""#)
        #expect(answer["tapped"]?.text == #"{"mine":1,"x":{"$date":5,"n":null,"big":1e999}}"#)
    }

    @Test(arguments: [
        (#"{"type":"t"}"#, []), (#"{"type":"t","userInfo":null,"audience":null,"lang":null,"build":null,"extra":1}"#, []),
        (#"{"type":"t","userInfo":{"a":null,"b":1e999}}"#, []), ("[]", [": type-mismatch"]), ("{}", ["type: required"]),
        (
            #"{"type":1,"userInfo":[],"audience":"!","lang":"!","build":"x"}"#,
            [
                "type: type-mismatch", "userInfo: type-mismatch", "audience: audience-invalid", "build: invalid-version",
                "lang: language-invalid",
            ]
        ), (#"{"type":"t","lang":"*"}"#, []), (#"{"type":"\u0001"}"#, []),
    ])
    func `reads a tap's body`(body: String, expected: [String]) throws {
        let json = try read(body)
        #expect((failure { try TapDocument(json).tap(version: try version("1.0"), language: .none) }?.found ?? []) == expected)
    }
}
