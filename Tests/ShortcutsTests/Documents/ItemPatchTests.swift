import Testing

@testable import Shortcuts

@Suite struct ItemPatchTests {
    private func patched(_ patch: String, of item: String = "b") throws -> ShortcutSet {
        let set = try set(
            #"{"items":[{"id":"a","type":"t","title":{"en":"A"}},{"id":"b","type":"t","title":{"en":"B","zh-Hant":"Z"},"url":"x://b","userInfo":{"k":{"n":1}}}],"retired":[{"id":"z"}],"fallbackURL":"x://f"}"#
        )
        return try ItemPatch(try read(patch), of: try id(item)).applied(to: set, defaultLanguage: try tag("en"))
    }

    @Test func `members are merged, null removes, the rest stays`() throws {
        let set = try patched(#"{"title":{"ko":"새"},"url":null,"userInfo":{"k":{"m":2.0}}}"#)
        #expect(
            text(set.canonicalJSON)
                == #"{"items":[{"id":"a","type":"t","title":{"en":"A"}},{"id":"b","type":"t","title":{"en":"B","ko":"새","zh-Hant":"Z"},"userInfo":{"k":{"m":2.0,"n":1}}}],"retired":[{"id":"z"}],"fallbackURL":"x://f"}"#
        )
    }

    @Test func `a patch may spell a language in another case`() throws {
        let item = try #require(try patched(#"{"title":{"ZH_hant":null}}"#).item(try id("b")))
        #expect(item.titles.rows.map(\.language.description) == ["en"])
    }

    @Test(arguments: [
        (#"{"id":"c"}"#, ["items[1].id: id-invalid"]), (#"{"id":null}"#, ["items[1].id: id-invalid"]),
        (#"{"title":{"en":null}}"#, ["items[1].title.en: title-missing"]), (#"{"title":null}"#, ["items[1].title: required"]),
        (#"{"ulr":"x://y","icon":{"type":"serch"}}"#, ["items[1].ulr: unknown-member", "items[1].icon.type: icon-type-unknown"]),
        (#"{"title":{"pt-br":"P","PT_BR":"Q"}}"#, ["items[1].title.PT_BR: duplicate-language"]), ("[1]", ["items[1]: type-mismatch"]),
        (#"{"replaces":["a"]}"#, ["items[1].replaces[0]: replaces-conflict"]),
    ])
    func `violations of a patch have their path in the set`(patch: String, expected: [String]) {
        #expect(failure { try patched(patch) }?.found == expected)
    }

    @Test func `the item's own id may be repeated`() throws {
        #expect(try patched(#"{"id":"b","enabled":false}"#).item(try id("b"))?.isEnabled == false)
    }

    @Test func `a patch does not create an item`() {
        #expect(failure { try patched(#"{"title":{"en":"C"}}"#, of: "c") }?.code == .unknownResource)
    }
}
