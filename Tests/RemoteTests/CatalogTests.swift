import QuickActions
import Testing

@testable import Remote

@Suite struct `A String Catalog` {
    private static func catalog(_ strings: String, version: String = "1.0") -> String {
        #"{"sourceLanguage": "en", "version": "\#(version)", "strings": {\#(strings)}}"#
    }

    private static func unit(_ language: String, _ text: String, _ state: String = "translated") -> String {
        #""\#(language)": {"stringUnit": {"state": "\#(state)", "value": "\#(text)"}}"#
    }

    /// The titles for the tree's only key.
    private func titles(_ catalogs: [String], key: String = "k", language: String = "en") throws -> String {
        let folder = try Folder(
            Dictionary(uniqueKeysWithValues: catalogs.enumerated().map { ("\($0).xcstrings", Optional($1)) }).merging([
                "tree/a/app.json": #"{"defaultLanguage": "\#(language)"}"#,
                "tree/a/sets/1.json": #"{"items": [{"id": "x", "title": {"key": "\#(key)"}}]}"#,
            ]) { first, _ in first })
        let paths = catalogs.indices.map { "\(folder.path)/\($0).xcstrings" }
        do {
            let tree = try MenuTree.read(folder.path + "/tree", try StringCatalogs(paths)).tree
            return String(decoding: tree.applied["a"]?["sets"]?["1.0.0"]?.encoded ?? [], as: UTF8.self)
        } catch {
            throw RemoteFailure(error.description.replacing(folder.path + "/", with: ""))
        }
    }

    @Test(arguments: [
        // All languages, the source language first, in any spelling that Xcode has.
        (
            #""k": {"localizations": {\#(unit("ko", "쓰기")), \#(unit("zh_Hans", "写")), \#(unit("en", "Write"))}}"#,
            #"{"en":"Write","ko":"쓰기","zh-Hans":"写"}"#
        ),
        // Untranslated and outdated texts do not count; a text that needs review does.
        (
            #""k": {"localizations": {\#(unit("en", "Write")), \#(unit("ko", "a", "new")), \#(unit("ja", "b", "stale")), \#(unit("de", "c", "needs_review"))}}"#,
            #"{"en":"Write","de":"c"}"#
        ),
        // The key is the source language's text if the catalog omits that text.
        (#""k": {}"#, #"{"en":"k"}"#), (#""k": {"localizations": {\#(unit("ko", "쓰기"))}}"#, #"{"en":"k","ko":"쓰기"}"#),
        (#""k": {"extractionState": "stale", "localizations": {\#(unit("en", "Write"))}}"#, #"{"en":"Write"}"#),
        (#""k": {"shouldTranslate": false, "localizations": {\#(unit("en", "Write")), \#(unit("ko", "쓰기"))}}"#, #"{"en":"Write"}"#),
    ])
    func `gives a key's languages`(_ strings: String, _ title: String) throws {
        #expect(try titles([Self.catalog(strings)]) == #"{"items":[{"id":"x","title":\#(title)}]}"#)
        #expect(try titles([Self.catalog(strings, version: "1.1"), Self.catalog("")]) == #"{"items":[{"id":"x","title":\#(title)}]}"#)
    }

    @Test(arguments: [
        (
            [catalog("")],
            #"tree/a/sets/1.json: items[0].title: the key "k" is not in any catalog: add it to 0.xcstrings, or write the texts instead."#
        ),
        ([], #"tree/a/sets/1.json: items[0].title: the key "k" is not in any catalog: pass its String Catalog with --strings."#),
        ([catalog(#""k": {}"#), catalog(#""k": {}"#)], #"the key "k" is in 0.xcstrings and in 1.xcstrings. Keep it in one of them."#),
        (
            [catalog(#""k": {"localizations": {"ko": {"variations": {"plural": {}}}}}"#)],
            #"0.xcstrings: the key "k" has variations by plural or device in ko"#
        ),
        ([catalog(#""k": {"localizations": {"ko": {"substitutions": {}}}}"#)], "substitutions"),
        ([catalog(#""k": {"localizations": {\#(unit("en", "Write to %1$@"))}}"#)], #"the format specifier "%1$@" in en"#),
        ([catalog(#""k": {"localizations": {"ko": {}}}"#)], "no stringUnit with a state and a value in ko"),
        ([catalog(#""k": {"localizations": {"k o": {}}}"#)], #""k o", which is not a language tag"#),
        ([catalog(#""k": {"localizations": {\#(unit("en", "Write", "new"))}}"#)], #"is marked "new" in its source language en"#),
        ([catalog("", version: "2.0")], #"0.xcstrings is a String Catalog of version "2.0""#),
        (["{}"], "0.xcstrings is not a String Catalog"),
        (["{"], "0.xcstrings is not JSON"), ([catalog("", version: "2.0"), "["], "1.xcstrings is not JSON"),
    ])
    func `is refused by name where a key cannot be used`(_ catalogs: [String], _ words: String) throws {
        let failure = #expect(throws: RemoteFailure.self) { try titles(catalogs) }
        #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
    }

    @Test func `must have the app's default language`() throws {
        let failure = #expect(throws: RemoteFailure.self) { try titles([Self.catalog(#""k": {}"#)], language: "ko") }
        #expect(failure?.description.contains("default language ko") == true)
    }

    @Test func `keys are refused all together, and what only lacks a language is told`() throws {
        let folder = try Folder([
            "c.xcstrings": Self.catalog(
                #""one": {"localizations": {\#(Self.unit("ko", "하나"))}}, "two": {}, "three": {"shouldTranslate": false}"#),
            "tree/a/sets/1.json":
                #"{"items": [{"title": {"key": "one"}, "subtitle": {"key": "two"}}, {"title": {"key": "three"}}, {"title": {"en": "x"}}, 3]}"#,
            "wrong/a/sets/1.json":
                #"{"items": [{"title": {"key": "four"}}, {"title": {"key": "five"}, "subtitle": {"key": "x", "en": "y"}}]}"#,
        ])
        let catalogs = try StringCatalogs([folder.path + "/c.xcstrings"])
        let read = try MenuTree.read(folder.path + "/tree", catalogs)
        #expect(
            read.notes.map { $0.replacing(folder.path, with: "") } == [
                #"/c.xcstrings: the key "two" lacks ko, unlike other keys of the tree."#
            ])
        let failure = #expect(throws: RemoteFailure.self) { try MenuTree.read(folder.path + "/wrong", catalogs) }
        #expect(failure?.description.split(separator: "\n").count == 3)
    }

    @Test(arguments: [
        ("%@", "%@"), ("Write to %1$@", "%1$@"), ("%lld new", "%lld"), ("%d", "%d"), ("%.2f €", "%.2f"), ("100%", nil), ("50 % off", nil),
        ("20%discount", nil), ("%", nil), ("100%% %i", "%i"), ("%%", nil),
    ])
    func `finds format specifiers`(text: String, expected: String?) {
        #expect(text.formatSpecifier == expected)
    }
}
