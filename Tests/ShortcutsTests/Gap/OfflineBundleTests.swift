import QuickActions
import Testing

@testable import Shortcuts

@Suite struct OfflineBundleTests {
    @Test func `carries the menu in every language as it is served, and the continuity`() throws {
        let titles = #""title":{"en":"T","ko":"K"}"#
        let set = try set(
            #"{"items":[{"id":"a","type":"t",\#(titles)},{"id":"b","type":"t","title":{"en":"T","fr":"F"},"enabled":false}]}"#)
        let published = PublishedSet(
            version: try version("1.0"), revision: 4, publishedAt: Timestamp(milliseconds: 0), by: "ci", set: set)
        let snapshot = try snapshot([Timeline(audience: .default, sets: [published])])
        let bundle = try #require(OfflineBundle(for: try build("1.2+7"), .default, in: snapshot)).json
        guard case .object(let languages)? = bundle["shortcuts"] else { throw Failure(.internalError, "no languages") }
        #expect(languages.map(\.name) == ["en", "ko"])
        for member in languages {
            let client = Client(build: try build("1.2+7"), language: .exactly(try tag(member.name.string)))
            #expect(member.value.text == ShortcutsAnswer(for: client, in: snapshot)?.json.text)
        }
        let disabled = try #require(bundle["disabled"]?["ko"]?[0])
        #expect(disabled["userInfo"]?["longpress.item"]?.text == "\"b\"" && disabled["visible"]?.text == "false")
        let continuity = try #require(Continuity(for: try version("1.2"), .default, in: snapshot))
        #expect(bundle["continuity"]?.text == continuity.json.text)
        #expect(bundle["revision"]?.text == "4" && bundle["defaultLanguage"]?.text == "\"en\"")
        #expect(OfflineBundle(for: try build("0.9"), .default, in: snapshot) == nil)
    }

    @Test func `an empty menu is carried in the default language`() throws {
        let bundle = OfflineBundle(for: try build("1.0"), .default, in: try snapshot([try timeline(["1.0": ""])]))
        #expect(bundle?.json["shortcuts"]?["en"]?["items"]?.text == "[]")
    }
}
