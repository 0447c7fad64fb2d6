import QuickActions
import Testing

@testable import Shortcuts

@Suite struct ContinuityTests {
    @Test func `has the resolution of every id`() throws {
        let timeline = try timeline(["1.0": "a b c d", "2.0": "e<a b -c@x:y", "3.0": "f<e !b @x:home"])
        let continuity = try #require(Continuity(for: try version("3.1"), .default, in: try snapshot([timeline])))
        let told = continuity.entries.map {
            "\($0.id) \($0.entry.outcome) \($0.entry.item?.id.description ?? "-") \($0.entry.url?.description ?? "-")"
        }
        #expect(
            told == [
                "a replaced f -", "b current b -", "c retired - x:y", "d removed - x:home", "e replaced f -", "f current f -",
            ])
        let item = try #require(continuity.effective.set.item(try id("f")))
        #expect(continuity.json["ids"]?["a"]?["action"]?.text == "\"\(item.actionHash)\"")
        #expect(continuity.json["ids"]?["c"]?["action"]?.text == "null")
    }

    @Test func `leaves later sets out, and is nil below every set`() throws {
        let snapshot = try snapshot([try timeline(["1.0": "a", "2.0": "b<a"])])
        #expect(Continuity(for: try version("1.9"), .default, in: snapshot)?.entries.map(\.id.description) == ["a"])
        #expect(Continuity(for: try version("0.9"), .default, in: snapshot) == nil)
    }
}
