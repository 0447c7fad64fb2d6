import Testing

@testable import QuickActions

@Suite struct DocumentPathTests {
    @Test(arguments: [
        ("en", "items[1].en"), ("pt-BR", "items[1].pt-BR"), ("$date", "items[1].$date"), ("a_b", "items[1].a_b"),
        ("a.b", #"items[1]["a.b"]"#),
        ("", #"items[1][""]"#), ("é", #"items[1]["é"]"#), ("a\"b\n", #"items[1]["a\"b\n"]"#), ("a b", #"items[1]["a b"]"#),
    ])
    func `quotes keys with special characters`(key: String, path: String) {
        #expect(DocumentPath.root["items"][1][Text(key)].description == path)
    }

    @Test(arguments: [("serch", #""serch""#), ("a\nb", #""a\nb""#)])
    func `quotes a value`(text: String, expected: String) {
        #expect(quoted(text) == expected)
    }

    @Test func `cuts a long value`() {
        #expect(quoted(String(repeating: "a", count: 200)).count == 83)
    }
}
