import Foundation
import QuickActions
import Testing

@testable import Shortcuts

private let unknown = "/* No translation is known. */\n"

@Suite struct StaticStringsTests {
    private func strings(_ staticItems: String, from items: String, in language: String? = "ko", of id: String = "2.1") throws -> String {
        let published = PublishedSet(
            version: try version("2.0"), revision: 1, publishedAt: author.at, by: "ci", set: try set(#"{"items":[\#(items)]}"#))
        let snapshot = try snapshot([Timeline(audience: .default, sets: [published])])
        let preference = try language.map { LanguagePreference.exactly(try tag($0)) } ?? .none
        return StaticStrings(of: try release(id, #"{"staticItems":[\#(staticItems)]}"#), in: preference, from: snapshot).text
    }

    private static let search = #"{"id":"s","type":"search","title":{"en":"Search","ko":"검색"},"subtitle":{"en":"All notes","ko":"모든 메모"}}"#
    private static let other = #"{"id":"o","type":"search","title":{"en":"SEARCH","ko":"찾기"},"enabled":false}"#

    @Test(
        arguments: [
            // One item has the type. Its title is in the language, is found by lookup, or is in the app's default language.
            ("ko", search, "\"SEARCH\" = \"검색\";\n\"SUB\" = \"모든 메모\";\n"),
            ("ko-KR", search, "\"SEARCH\" = \"검색\";\n\"SUB\" = \"모든 메모\";\n"),
            (nil, search, "\"SEARCH\" = \"Search\";\n\"SUB\" = \"All notes\";\n"),
            // No row in the language, no item with it, no item of the type.
            ("ja", search, unknown + "\"SEARCH\" = \"SEARCH\";\n" + unknown + "\"SUB\" = \"SUB\";\n"),
            ("ko", "", unknown + "\"SEARCH\" = \"SEARCH\";\n" + unknown + "\"SUB\" = \"SUB\";\n"),
            (
                "ko", #"{"id":"x","type":"x","title":{"en":"SEARCH","ko":"검색"}}"#,
                unknown + "\"SEARCH\" = \"SEARCH\";\n" + unknown + "\"SUB\" = \"SUB\";\n"
            ),
            // Of two items of the type, the one with the key as a title, even if disabled; it has no subtitle.
            ("ko", search + "," + other, "\"SEARCH\" = \"찾기\";\n" + unknown + "\"SUB\" = \"SUB\";\n"),
            // Two items of the type, neither with the key as a title.
            (
                "ko", search + "," + search.replacingOccurrences(of: #""id":"s""#, with: #""id":"z""#),
                unknown + "\"SEARCH\" = \"SEARCH\";\n" + unknown + "\"SUB\" = \"SUB\";\n"
            ),
        ] as [(String?, String, String)])
    func `the set in effect translates`(language: String?, items: String, expected: String) throws {
        #expect(try strings(#"{"type":"search","title":"SEARCH","subtitle":"SUB"}"#, from: items, in: language) == expected)
    }

    @Test func `no set in effect translates nothing`() throws {
        #expect(try strings(#"{"type":"search","title":"S"}"#, from: Self.search, of: "1.9") == unknown + "\"S\" = \"S\";\n")
        #expect(try strings("", from: Self.search).isEmpty)
    }

    @Test func `a key stands once, with the translation that is known`() throws {
        let items =
            #"{"type":"x","title":"S","subtitle":"S"},{"type":"search","title":"S"},{"type":"y","title":"e\u0301"},{"type":"y","title":"\u00e9"}"#
        #expect(
            try strings(items, from: Self.search)
                == "\"S\" = \"검색\";\n" + unknown + "\"e\u{301}\" = \"e\u{301}\";\n" + unknown + "\"\u{E9}\" = \"\u{E9}\";\n")
    }

    @Test(arguments: [
        (#"a\"b"#, #"a\"b"#), (#"a\\b"#, #"a\\b"#), (#"a\nb"#, #"a\nb"#), (#"a\r\n\tb"#, #"a\r\n\tb"#), (#"*/ /* ;"#, #"*/ /* ;"#),
        ("😀", "😀"),
    ])
    func `is escaped as strings files have it`(title: String, escaped: String) throws {
        let text = try strings(#"{"type":"t","title":"\#(title)"}"#, from: "")
        #expect(text == unknown + "\"\(escaped)\" = \"\(escaped)\";\n")
        let key = try #require(try read("\"\(title)\"").string)
        #expect(try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: String] == [key: key])
    }
}
