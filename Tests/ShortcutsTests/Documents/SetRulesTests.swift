import Testing

@testable import Shortcuts

@Suite struct SetRulesTests {
    @Test(arguments: [
        ("{}", ["items: required"]), (#"{"items":null}"#, ["items: required"]), ("[]", [": type-mismatch"]),
        (#"{"items":{}}"#, ["items: type-mismatch"]),
        (#"{"items":[]}"#, []), (#"{"items":[],"retired":null,"fallbackURL":null}"#, []),
        (#"{"items":[],"fallbackURL":"ftp"}"#, ["fallbackURL: url-invalid"]),
        (#"{"items":[],"fallbackUrl":"a:b"}"#, ["fallbackUrl: unknown-member"]),
        (
            #"{"items":[],"retired":[{},{"id":"a","url":"http://x"},{"id":"-"},5,{"id":"b","to":1}]}"#,
            [
                "retired[0].id: required", "retired[1].url: url-scheme", "retired[2].id: id-invalid", "retired[3]: type-mismatch",
                "retired[4].to: unknown-member",
            ]
        ),
    ])
    func `lists the violations of a set`(set: String, expected: [String]) throws {
        #expect(try violations(ofSet: set) == expected)
    }

    @Test(arguments: [
        (1000, nil), (1001, "1 more are not listed. Correct these first."), (9000, "8000 more are not listed. Correct these first."),
    ])
    func `lists at most a thousand violations`(count: Int, last: String?) throws {
        let set = #"{"items":[]"# + (0..<count).map { #","x\#($0)":1"# }.joined() + "}"
        let document = ShortcutSetDocument(try read(set), defaultLanguage: try tag("en"))
        let listed = failure { try document.checked() }?.violations ?? []
        #expect(listed.count == min(count, 1000) + (last == nil ? 0 : 1))
        #expect(listed.first?.path == "x0" && (last == nil || listed.last?.message == last))
    }

    @Test(arguments: [(20, []), (21, ["items: too-many-items"])] as [(Int, [String])])
    func `bounds the items`(count: Int, expected: [String]) throws {
        let items = (0..<count).map { #"{"id":"i\#($0)","type":"t","title":{"en":"T"}}"# }.joined(separator: ",")
        #expect(try violations(ofSet: #"{"items":[\#(items)]}"#) == expected)
    }

    @Test(arguments: [(100, []), (101, ["retired: too-many-items"])] as [(Int, [String])])
    func `bounds the retired`(count: Int, expected: [String]) throws {
        let retired = (0..<count).map { #"{"id":"r\#($0)"}"# }.joined(separator: ",")
        #expect(try violations(ofSet: #"{"items":[],"retired":[\#(retired)]}"#) == expected)
    }

    @Test(arguments: [
        ("a a", ["items[1].id: duplicate-id"]), ("a<a", ["items[0].replaces[0]: replaces-conflict"]),
        ("a<b b", ["items[0].replaces[0]: replaces-conflict"]),
        ("a<x b<x", ["items[1].replaces[0]: replaces-conflict"]), ("a -a", ["retired[0].id: replaces-conflict"]),
        ("a<x -x", ["retired[0].id: replaces-conflict"]),
        ("a<x,x", ["items[0].replaces[1]: duplicate-id"]), ("-x -x", ["retired[1].id: duplicate-id"]),
        ("!a<b b", ["items[0].replaces[0]: replaces-conflict"]),
        ("a<x b<y -z", []), ("a A<B", []),
    ])
    func `an id has one meaning within a set`(words: String, expected: [String]) throws {
        let failure = failure { try sketch(words) }
        #expect((failure?.found ?? []) == expected)
    }

    @Test func `lists all violations`() throws {
        let found = try violations(
            ofSet: #"""
                {"items":[{"id":"a","type":"","title":{"en":" "},"icon":{"type":"serch"},"url":"x","userInfo":{"a":[null],"longpress.b":1}},
                {"id":"a","type":"t","title":{"fr":"T"},"userInfo":{"d":{"$date":"now"}},"replaces":["a"]}],"retired":[{"id":"a"}],"x":1}
                """#)
        #expect(
            Set(found) == [
                "x: unknown-member", "items[0].type: type-invalid", "items[0].title.en: title-empty",
                "items[0].icon.type: icon-type-unknown",
                "items[0].url: url-invalid", "items[0].userInfo.a[0]: userinfo-null",
                #"items[0].userInfo["longpress.b"]: userinfo-key-reserved"#,
                "items[1].id: duplicate-id", "items[1].title.en: title-missing", "items[1].userInfo.d.$date: date-invalid",
                "items[1].replaces[0]: replaces-conflict", "retired[0].id: replaces-conflict",
            ])
        #expect(found.count == 13, "the retired id is both present and replaced")
    }

    @Test(arguments: [
        (#"{"en":"\#(String(repeating: "a", count: 101))\n"}"#, ["items[0].title.en: text-invalid", "items[0].title.en: title-too-long"]),
        (#"{"en":"T","EN":""}"#, ["items[0].title.EN: duplicate-language", "items[0].title.EN: title-empty"]),
        (#"{"en":"T","!":""}"#, [#"items[0].title["!"]: language-invalid"#, #"items[0].title["!"]: title-empty"#]),
    ])
    func `lists both violations of one text`(title: String, expected: [String]) throws {
        #expect(Set(try violations(ofItem: "", title: title)) == Set(expected))
    }

    @Test func `messages have the value and the remedy`() throws {
        let json = try read(#"{"items":[{"id":"a","type":"t","title":{"en":"T"},"icon":{"type":"serch"},"userInfo":{"a":[null]}}]}"#)
        let found = try #require(failure { try ShortcutSetDocument(json, defaultLanguage: try tag("en")).checked() })
        #expect(
            found.violations.map(\.message) == [
                #""serch" is not a system icon type. Did you mean "search"?"#,
                "items[0].userInfo.a[0] is null. Property lists have no null, and the app would crash. Remove the key.",
            ])
    }

    @Test(arguments: ["2.1-beta"]) func `the message of an invalid version has the text`(text: String) {
        #expect(
            Failure.invalidVersion(text).detail
                == #""2.1-beta" is not a version. Use one to three integers separated by periods, for example 2.10.0."#)
    }

    @Test func `a long key is cut in paths`() throws {
        let key = String(repeating: "k", count: 100_000)
        let nulls = Array(repeating: "null", count: 2_000).joined(separator: ",")
        let json = try read(#"{"items":[{"id":"a","type":"t","title":{"en":"T"},"userInfo":{"\#(key)":[\#(nulls)]}}]}"#)
        let found = try #require(failure { try ShortcutSetDocument(json, defaultLanguage: try tag("en")).checked() })
        #expect(found.violations.reduce(0) { $0 + $1.path.utf8.count + $1.message.utf8.count } < 4_000_000)
    }
}
