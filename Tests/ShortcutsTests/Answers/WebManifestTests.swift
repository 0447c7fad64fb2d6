import QuickActions
import Testing

@testable import Shortcuts

@Suite struct WebManifestTests {
    private func manifest(_ items: String, within scope: String? = nil, in language: String? = nil) throws -> JSON {
        let scope = try scope.map { try #require(WebScope($0)) }
        return WebManifest(of: try answer(items, in: language), within: scope).json
    }

    private func item(_ id: String, url: String?) -> String {
        #"{"id":"\#(id)","type":"t","title":{"en":"T"}\#(url.map { #","url":"\#($0)""# } ?? "")}"#
    }

    @Test func `has the members of the W3C manifest, and lists the rest`() throws {
        let json = try manifest(everyKind)
        #expect(
            json["shortcuts"]?.text
                == #"[{"name":"New Note","short_name":"New Note","description":"Start blank","url":"https://app.example/new"}]"#)
        #expect(json.omissions == ["all: icon", "all: userInfo", "all: targetContentIdentifier"])
        #expect(json.reasons[1].contains(#""a.b", "d", "f", "i", "l", "m", "r", "s", "t""#))
        #expect(json.reasons[2].contains(#""inbox""#))
    }

    @Test func `an item is served in the answer's language`() throws {
        #expect(
            try manifest(everyKind, in: "ko")["shortcuts"]?.text
                == #"[{"name":"새 메모","short_name":"새 메모","url":"https://app.example/new"}]"#)
    }

    @Test(arguments: [
        (nil, "has no url"), ("notes://new", "notes://new"), ("https://other.example/app/x", "is outside the scope"),
        ("https://app.example/", "is outside the scope"),
    ])
    func `an item outside the scope is omitted`(url: String?, reason: String) throws {
        let json = try manifest(
            item("in", url: "https://app.example/app/a") + "," + item("out", url: url), within: "https://app.example/app")
        #expect(json["shortcuts"]?.elements.map { $0["url"]?.string } == ["https://app.example/app/a"])
        #expect(json.omissions == ["out: null"])
        #expect(json.reasons[0].contains(reason))
    }

    @Test func `without a scope any https url will do, as it was written`() throws {
        let urls = ["HTTPS://a.example", "https://b.example/x?y=1#z"]
        let json = try manifest(item("a", url: urls[0]) + "," + item("b", url: urls[1]) + "," + item("c", url: "x:y"))
        #expect(json["shortcuts"]?.elements.map { $0["url"]?.string } == urls)
        #expect(json.omissions == ["c: null"])
    }

    @Test(arguments: [("Twelve chars", true), ("Thirteen char", false), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", true)])
    func `a short name is the title where it fits`(title: String, fits: Bool) throws {
        let json = try manifest(#"{"id":"a","type":"t","title":{"en":"\#(title)"},"url":"https://a.example/"}"#)
        #expect(json["shortcuts"]?[0]?["short_name"]?.string == (fits ? title : nil))
        #expect(json["shortcuts"]?[0]?["name"]?.string == title)
        #expect(json.omissions == (fits ? [] : ["a: short_name"]))
    }

    @Test func `hostile text stays text`() throws {
        let json = try manifest(
            #"{"id":"a","type":"t","title":{"en":"</script>\"\\"},"url":"https://a.example/","userInfo":{"\"\n":1}}"#)
        let again = try read(json.text)
        #expect(again["shortcuts"]?[0]?["name"]?.string == #"</script>"\"#)
        #expect(again.reasons[0].contains(#""\"\n""#))
    }

    @Test func `disabled items are not served, and an empty menu is empty`() throws {
        let off = #"{"id":"a","type":"t","title":{"en":"T"},"url":"https://a.example/","enabled":false}"#
        #expect(try manifest(off).text == #"{"shortcuts":[],"omitted":[]}"#)
    }
}

@Suite struct WebScopeTests {
    @Test(arguments: [
        ("https://a.example/app/", "https://a.example/app/x", true), ("https://a.example/app/", "https://a.example/app", false),
        ("https://a.example/app", "https://a.example/application", true), ("https://a.example", "https://a.example/x", true),
        ("https://a.example/", "https://a.example", true), ("https://a.example/?q#f", "https://a.example/x?y", true),
        ("https://a.example/", "https://b.example/", false), ("https://a.example/", "https://a.example.evil/", false),
        ("https://a.example/", "https://a.example:8443/", false), ("https://a.example:443/", "https://A.EXAMPLE/", true),
        ("https://a.example:0443/", "https://a.example:/", true), ("https://a.example/", "https://user@a.example/", true),
        ("https://a.example/", "https://a.example@b.example/", false), ("https://[::1]:443/", "https://[::1]/x", true),
        ("https://a.example/app/", "https://a.example/app/../x", false),
        ("https://a.example/app/", "https://a.example/app/%2E%2e/x", false),
        ("https://a.example/app/", "https://a.example/x/../app/./y", true), ("https://a.example/app/..", "https://a.example/x", true),
        ("https://a.example/app/", "https://a.example/app/x/..", true), ("https://a.example/app/", "https://a.example/?/app/", false),
        ("https://a.example/a", "https://a.example//a", false), ("https://a.example/App", "https://a.example/app", false),
        ("https://a.example/", "notes://a.example/", false),
    ])
    func `one origin, and a path that begins with the scope's`(scope: String, url: String, isInside: Bool) throws {
        #expect(try #require(WebScope(scope)).contains(try ActionURL(checking: url)) == isInside)
    }

    @Test(arguments: [
        "", "/app/", "http://a.example/", "notes://x", "https://", "https:a", "https://a.example/ü", "https://a b/", "//a.example/",
    ])
    func `anything else is no scope`(text: String) {
        #expect(WebScope(text) == nil)
    }
}
