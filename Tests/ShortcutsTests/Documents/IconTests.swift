import Testing

@testable import Shortcuts

@Suite struct IconTests {
    static let names = """
        compose play pause add location search share prohibit contact home markLocation favorite love cloud invitation confirmation mail message date \
        time capturePhoto captureVideo task taskCompleted alarm bookmark shuffle audio update
        """.split(separator: " ").map(String.init)

    @Test func `there are 29 system types in Apple's order`() {
        #expect(SystemIconType.allCases.map(\.name) == Self.names)
        #expect(SystemIconType.allCases.map(\.rawValue) == Array(0...28))
    }

    @Test(arguments: [#""search""#, #""UIApplicationShortcutIconTypeSearch""#, "5"])
    func `three spellings are stored as one`(spelling: String) throws {
        let set = try set(#"{"items":[{"id":"a","type":"t","title":{"en":"T"},"icon":{"type":\#(spelling)}}]}"#)
        #expect(text(set.canonicalJSON).contains(#""icon":{"type":"search"}"#))
    }

    @Test(arguments: [
        ("{}", []), ("null", []), (#"{"symbol":null}"#, []), (#"{"symbol":"a","file":"b","type":0}"#, []),
        (#""search""#, ["icon: type-mismatch"]),
        (#"{"type":"serch"}"#, ["icon.type: icon-type-unknown"]), (#"{"type":29}"#, ["icon.type: icon-type-unknown"]),
        (#"{"type":-1}"#, ["icon.type: icon-type-unknown"]),
        (#"{"type":99999999999999999999}"#, ["icon.type: icon-type-unknown"]), (#"{"type":"Search"}"#, ["icon.type: icon-type-unknown"]),
        (#"{"type":"5"}"#, ["icon.type: icon-type-unknown"]),
        (#"{"type":true}"#, ["icon.type: type-mismatch"]), (#"{"type":1.0}"#, ["icon.type: type-mismatch"]),
        (#"{"symbol":1,"file":""}"#, ["icon.symbol: type-mismatch", "icon.file: text-invalid"]),
        (#"{"systemImageName":"a"}"#, ["icon.systemImageName: unknown-member"]),
    ])
    func `checks an icon`(icon: String, expected: [String]) throws {
        #expect(try violations(ofItem: #""icon":\#(icon)"#) == expected.map { "items[0].\($0)" })
    }

    @Test(arguments: [
        ("serch", "search"), ("Search", "search"), ("favourite", "favorite"), ("compse", "compose"), ("amil", "mail"),
        ("taskCompletd", "taskCompleted"),
        ("capture-photo", "capturePhoto"),
        ("", nil), ("zzzzzz", nil), ("é", nil),
    ])
    func `suggests the nearest type`(typed: String, suggestion: String?) {
        #expect(SystemIconType.suggestion(for: typed)?.name == suggestion)
    }

    @Test func `a huge name takes time in proportion`() throws {
        #expect(
            try violations(ofItem: #""icon":{"type":"\#(String(repeating: "s", count: 500_000))"}"#) == [
                "items[0].icon.type: icon-type-unknown"
            ])
    }
}
