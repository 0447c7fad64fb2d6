import Testing

@testable import QuickActions

@Suite struct IdentifierTests {
    @Test(arguments: ["a", "0", "A.b_c-d", "com.example.notes", String(repeating: "a", count: 128)])
    func `accepts an id`(text: String) {
        #expect(ItemID(text)?.description == text)
        #expect(AppID(text)?.description == text)
    }

    @Test(arguments: ["", ".a", "_a", "-a", "a b", "é", "a\u{301}", "a/b", "a\0", "a\n", "ａ", "\u{212A}"])
    func `refuses what is no id`(text: String) {
        #expect(ItemID(text) == nil)
        #expect(AppID(text) == nil)
    }

    @Test func `bounds the length`() {
        #expect(ItemID(String(repeating: "a", count: 129)) == nil)
        #expect(AppID(String(repeating: "a", count: 155)) != nil)
        #expect(AppID(String(repeating: "a", count: 156)) == nil)
    }

    @Test(arguments: [
        ("guest", true), ("default", true), ("0-a", true), ("a-", true), (String(repeating: "a", count: 32), true), ("", false),
        ("-a", false), ("Guest", false), ("a_b", false), ("a.b", false), ("é", false), (String(repeating: "a", count: 33), false),
    ])
    func `an audience is a short lower-case name`(text: String, fits: Bool) {
        #expect((Audience(text) != nil) == fits)
    }

    @Test func `texts are compared by Unicode scalars`() {
        #expect(Text("é") != Text("e\u{301}"))
        #expect(Set([Text("é"), Text("e\u{301}")]).count == 2)
        #expect(Text("a") < Text("b"))
        #expect(Text("\u{FFFD}") < Text("\u{10000}"), "by UTF-8 bytes, not by UTF-16 units")
    }
}
