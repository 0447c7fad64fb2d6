import QuickActions
import Testing

@testable import Shortcuts

/// The rest is compared with a model: Tests/Console/merge_model.py.
struct SetMergeTests {
    private func set(_ items: String...) throws -> JSON { try read(#"{"items": [\#(items.joined(separator: ","))]}"#) }

    private func merge(_ base: JSON?, _ mine: JSON?, _ theirs: JSON?, _ choices: SetMerge.Choices = [:]) -> SetMerge {
        SetMerge(SetMerge.Sides(base: base, mine: mine, theirs: theirs), choices: choices)
    }

    private func ids(_ merge: SetMerge) -> [String] {
        guard case .array(let items)? = merge.set["items"] else { return [] }
        return items.compactMap { $0.members.text("id")?.string }
    }

    private let a = #"{"id": "a", "type": "t", "title": {"en": "A"}}"#
    private let b = #"{"id": "b", "type": "t", "title": {"en": "B"}}"#
    private let c = #"{"id": "c", "type": "t", "title": {"en": "C"}}"#

    @Test func `changes of different members are merged`() throws {
        let merged = merge(
            try set(a, b), try set(#"{"id": "a", "type": "t", "title": {"en": "Mine"}}"#, b),
            try set(#"{"id": "a", "type": "t", "title": {"en": "A", "ko": "그"}, "url": "x://a"}"#, b, c))
        #expect(merged.conflicts.isEmpty)
        #expect(
            merged.set.text
                == #"{"items":[{"id":"a","title":{"en":"Mine","ko":"그"},"type":"t","url":"x://a"},"#
                + #"{"id":"b","title":{"en":"B"},"type":"t"},{"id":"c","type":"t","title":{"en":"C"}}]}"#)
    }

    @Test func `different changes of one member conflict`() throws {
        let (mine, theirs) = (
            #"{"id": "a", "type": "t", "title": {"en": "Mine"}}"#, #"{"id": "a", "type": "t", "title": {"en": "Theirs"}}"#
        )
        let undecided = merge(try set(a), try set(mine), try set(theirs))
        #expect(
            undecided.json["conflicts"]?.text
                == #"[{"key":"a title.en","item":"a","member":"title.en","base":"A","mine":"Mine","theirs":"Theirs"}]"#)
        #expect(undecided.set["items"]?[0]?["title"]?.text == #"{"en":"Mine"}"#)
        let decided = merge(try set(a), try set(mine), try set(theirs), ["a title.en": .theirs])
        #expect(decided.set["items"]?[0]?["title"]?.text == #"{"en":"Theirs"}"#)
    }

    @Test func `an item that one side removed and the other changed is a conflict`() throws {
        let merged = merge(try set(a, b), try set(b), try set(#"{"id": "a", "type": "new", "title": {"en": "A"}}"#, b))
        #expect(merged.conflicts.map(\.key) == ["a removed"])
        #expect(ids(merged) == ["b"])
    }

    @Test func `a removed item that the other side left alone is removed`() throws {
        #expect(ids(merge(try set(a, b), try set(b), try set(a, b, c))) == ["b", "c"])
    }

    @Test func `an added item follows its neighbor in the order of the other side`() throws {
        #expect(ids(merge(try set(a, b), try set(b, a), try set(a, c, b))) == ["b", "a", "c"])
    }

    @Test func `both sides move items differently`() throws {
        let merged = merge(try set(a, b, c), try set(b, a, c), try set(a, c, b))
        #expect(merged.conflicts.map(\.key) == ["set order"])
        #expect(ids(merged) == ["b", "a", "c"])
    }

    @Test func `members that this program does not know are kept`() throws {
        let merged = merge(try set(a), try set(#"{"id": "a", "type": "t", "title": {"en": "A"}, "source": "x"}"#), try set(a, b))
        #expect(merged.set["items"]?[0]?["source"]?.text == #""x""#)
    }

    @Test func `a member with its default value equals an absent one`() throws {
        let plain = try set(
            #"{"id": "a", "type": "t", "title": {"en": "A"}, "enabled": true, "replaces": [], "subtitle": {}, "url": null}"#)
        let merged = merge(try set(a), plain, try set(#"{"id": "a", "type": "t", "title": {"en": "A"}, "enabled": false}"#))
        #expect(merged.conflicts.isEmpty)
        #expect(merged.set["items"]?[0]?["enabled"]?.text == "false")
    }

    @Test func `retired ids and the fallback are merged as members of the set`() throws {
        let mine = try read(#"{"items": [], "retired": [{"id": "x"}, {"id": "y"}], "fallbackURL": "m://"}"#)
        let theirs = try read(#"{"items": [], "retired": [{"id": "x", "url": "t://"}], "fallbackURL": "t://"}"#)
        let merged = merge(try read(#"{"items": [], "retired": [{"id": "x"}]}"#), mine, theirs, ["set fallbackURL": .theirs])
        #expect(merged.conflicts.map(\.key) == ["set fallbackURL"])
        #expect(merged.set.text == #"{"items":[],"retired":[{"id":"x","url":"t://"},{"id":"y"}],"fallbackURL":"t://"}"#)
    }

    @Test func `a side without a set counts as empty`() throws {
        #expect(ids(merge(nil, try set(a), nil)) == ["a"])
        #expect(merge(try set(a), nil, nil).conflicts.isEmpty)
    }

    @Test func `a document says all of its errors`() throws {
        let document = try read(
            #"{"base": 1, "mine": {"items": [{"type": "t"}, {"id": "a"}, {"id": "a"}]}, "choices": {"a url": "ours"}, "x": 1}"#)
        #expect(
            failure { try MergeDocument(document).merged() }?.found
                == [
                    "x: unknown-member", "base: type-mismatch", "mine.items[0].id: required", "mine.items[2].id: duplicate-id",
                    #"choices["a url"]: type-mismatch"#,
                ])
    }
}
