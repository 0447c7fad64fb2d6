import QuickActions
import Testing

@testable import Shortcuts

@Suite struct SearchTests {
    private func members(_ text: String, in document: String, app name: String? = nil) throws -> [String] {
        let place = SearchHit.Place(
            source: .set, app: try app().id, name: name.map { Text($0) }, version: try version("2.0"), audience: .default, revision: 3)
        let (words, set) = (try SearchWords(text), try set(document))
        let hits = words.hits(in: set, at: place)
        let mayOccur = words.mayOccur(in: String(decoding: set.canonicalJSON, as: UTF8.self), at: place)
        #expect(mayOccur || hits.allSatisfy { $0.json["member"]?.encoded == JSON.string("version").encoded })
        return hits.map { hit in
            [hit.json["item"], hit.json["member"]].compactMap { if case .string(let text)? = $0 { text.string } else { nil } }
                .joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("NEW", ["a title.en"]), ("n ew", ["a title.en"]), ("écrire", ["a title.fr"]), ("ECRIRE", ["a title.fr"]), ("ｗ", ["a title.en"]),
        ("strasse", ["b title.en"]), ("STRAẞE", ["b title.en"]), ("메", ["b title.ko"]), ("ㅁ", ["b title.ko"]),
        ("back\\slash", ["b subtitle.en"]),
        ("\"quoted\"", ["b subtitle.en"]), ("new strasse", []), ("new notes", ["a title.en"]),
        ("2.0.0", ["version"]),
        ("new 2.0.0", ["a title.en"]),
        ("notes", ["gone retired[0].url"]), ("title", []), ("old", ["b replaces[0]", "gone retired[0].url"]), ("🇰🇷", []),
    ])
    func `finds words in members and around them`(text: String, expected: [String]) throws {
        let document = #"""
            {"items": [{"id": "a", "type": "t", "title": {"en": "New", "fr": "E\u0301crire"}},
                       {"id": "b", "type": "t", "title": {"en": "Straße", "ko": "새 메모"}, "subtitle": {"en": "a \"quoted\" back\\slash"},
                        "replaces": ["old"]}],
             "retired": [{"id": "gone", "url": "notes://Old"}]}
            """#
        #expect(try members(text, in: document, app: "Notes") == expected)
    }

    @Test(arguments: ["", " ", "\t\n", String(repeating: "a", count: 201)])
    func `refuses what cannot be searched`(text: String) {
        #expect(failure { try SearchWords(text) }?.code == .invalidParameter)
    }
}
