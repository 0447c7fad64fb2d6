import Testing

@testable import Shortcuts

@Suite struct SetDifferenceTests {
    @Test(
        arguments: [
            ("a b", "a b", [], [], []), ("a b", "b a", [], [], ["a 0>1"]), ("a b c d", "d a b c", [], [], ["d 3>0"]),
            ("a b c", "c x a", ["x"], ["b"], ["a 0>2"]), ("", "a", ["a"], [], []), ("a", "", [], ["a"], []),
            ("a b c d e", "e b c d a", [], [], ["e 4>0", "a 0>4"]),
        ] as [(String, String, [String], [String], [String])])
    func `items come, go and move`(old: String, new: String, added: [String], removed: [String], moved: [String]) throws {
        let difference = SetDifference(from: try sketch(old), to: try sketch(new))
        #expect(difference.added.map(\.description) == added)
        #expect(difference.removed.map(\.description) == removed)
        #expect(difference.moved.map { "\($0.id) \($0.from)>\($0.to)" } == moved)
        #expect(difference.changed.isEmpty)
    }

    @Test func `changed fields have their old and new values`() throws {
        let old = try set(#"{"items":[{"id":"a","type":"t","title":{"en":"A"},"url":"x://1"}],"fallbackURL":"x://f"}"#)
        let new = try set(#"{"items":[{"id":"a","type":"t","title":{"en":"B"},"enabled":false}],"retired":[{"id":"z"}]}"#)
        let difference = SetDifference(from: old, to: new)
        let fields = try #require(difference.changed.first?.fields)
        let told = (fields + difference.set).map { "\($0.field) \($0.old?.text ?? "-") \($0.new?.text ?? "-")" }
        #expect(
            told == [
                #"title {"en":"A"} {"en":"B"}"#, #"url "x://1" -"#, "enabled - false", #"fallbackURL "x://f" -"#,
                #"retired - [{"id":"z"}]"#,
            ])
    }

    @Test func `a deleted set has no items`() throws {
        #expect(SetDifference(from: try sketch("a b"), to: nil).removed.map(\.description) == ["a", "b"])
    }
}
