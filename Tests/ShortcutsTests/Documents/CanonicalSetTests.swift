import Testing

@testable import Shortcuts

@Suite struct CanonicalSetTests {
    @Test(arguments: [
        #"{"items":[{"id":"a","type":"t","title":{"en":"T","zh-Hant":"標"},"icon":{"type":"search","symbol":"s"},"userInfo":{"a":1,"b":2}}]}"#,
        #"{"items":[{"userInfo":{"b":2,"a":1},"icon":{"symbol":"s","type":5,"file":null},"title":{"ZH_hant":"標","EN":"T"},"type":"t","id":"a","enabled":true,"replaces":[],"subtitle":{},"url":null}],"retired":[],"fallbackURL":null}"#,
    ])
    func `equal content has equal bytes`(sent: String) throws {
        let canonical =
            #"{"items":[{"id":"a","type":"t","title":{"en":"T","zh-Hant":"標"},"icon":{"symbol":"s","type":"search"},"userInfo":{"a":1,"b":2}}]}"#
        #expect(text(try set(sent).canonicalJSON) == canonical)
        #expect(try set(sent) == set(canonical))
    }

    @Test(arguments: [("1", "1.0"), ("1", "true"), (#""é""#, "\"e\u{301}\""), ("0.0", "-0.0"), (#""1""#, "1"), ("[]", "{}")])
    func `different values stay apart`(left: String, right: String) throws {
        func bytes(_ value: String) throws -> [UInt8] {
            try set(#"{"items":[{"id":"a","type":"t","title":{"en":"T"},"userInfo":{"a":\#(value)}}]}"#).canonicalJSON
        }
        #expect(try bytes(left) != bytes(right))
    }

    @Test(arguments: ["a !b<x,y -z@notes://z -w @notes://f", ""])
    func `a stored set reads back`(words: String) throws {
        let set = try sketch(words)
        #expect(try ShortcutSet(stored: set.canonicalJSON) == set)
        #expect(try reread(text(set.canonicalJSON)) == set, "what GET answers is what PUT takes")
    }

    private func reread(_ text: String) throws -> ShortcutSet { try set(text) }
}
