import QuickActions
import Testing

@testable import Shortcuts

private let document = #"""
    {"items":[{"id":"compose","type":"com.example.notes.compose","title":{"en":"New","ko":"새 메모"},"icon":{"type":"compose"},"url":"notes://compose","targetContentIdentifier":"inbox",
    "userInfo":{"z":1e16,"x":{"$data":"AQI="},"d":{"$date":"2026-01-31T09:00:00Z"},"b":true,"i":1,"r":1.0,"l":["é",-5]}},{"id":"plain","type":"t","title":{"en":"P"},"userInfo":{}}]}
    """#

@Suite struct VersionTagTests {
    // Python: hashlib.sha256('{"targetContentIdentifier":"inbox","type":"com.example.notes.compose","url":"notes://compose","userInfo":{"b":true,
    // "d":{"$date":"2026-01-31T09:00:00Z"},"i":1,"l":["é",-5],"r":1.0,"x":{"$data":"AQI="},"z":1e+16}}'.encode()).hexdigest()[:16]
    @Test(arguments: [("compose", "2ba6f0457927b98e"), ("plain", "2241608e8271eac8")])
    func `hashes the action of an item`(item: String, hash: String) throws {
        #expect(try #require(try set(document).items.first { $0.id.description == item }).actionHash == hash)
    }

    @Test(arguments: [
        (#""title":{"en":"X","fr":"Y"}"#, true), (#""title":{"en":"T"},"subtitle":{"en":"S"},"icon":{"file":"f"}"#, true),
        (#""title":{"en":"T"},"enabled":false,"replaces":["q"]"#, true),
        (#""title":{"en":"T"},"userInfo":{"a":1}"#, false), (#""title":{"en":"T"},"url":"a:b""#, false),
        (#""title":{"en":"T"},"targetContentIdentifier":"x""#, false), (#""title":{"en":"T"},"userInfo":{}"#, true),
    ])
    func `texts and icons are not part of the action`(members: String, isSame: Bool) throws {
        let plain = try set(#"{"items":[{"id":"a","type":"t","title":{"en":"T"}}]}"#).items[0]
        let other = try set(#"{"items":[{"id":"b","type":"t",\#(members)}]}"#).items[0]
        #expect((plain.actionHash == other.actionHash) == isSame)
    }

    private func answer(_ client: String, audience: Audience = .default, language: LanguagePreference = .none, timelines: [Audience]) throws
        -> JSON?
    {
        let published = PublishedSet(version: try version("2.0"), revision: 42, publishedAt: author.at, by: "ci", set: try set(document))
        let snapshot = try snapshot(timelines.map { Timeline(audience: $0, sets: [published]) })
        return ShortcutsAnswer(for: Client(build: try build(client), audience: audience, language: language), in: snapshot)?.json
    }

    @Test func `stamps flat members after the item's own`() throws {
        let guest = try #require(Audience("guest"))
        let json = try #require(try answer("2.1+0512", audience: guest, language: .exactly(try tag("ko")), timelines: [guest]))
        #expect(
            json["items"]?[0]?["userInfo"]?.text.hasSuffix(
                #","z":1e+16,"longpress.schema":1,"longpress.item":"compose","longpress.version":"2.1.0+512","longpress.revision":42,"longpress.language":"ko","longpress.audience":"guest","longpress.action":"2ba6f0457927b98e","longpress.url":"notes://compose"}"#
            ) == true)
        #expect(
            json["items"]?[1]?["userInfo"]?.text
                == #"{"longpress.schema":1,"longpress.item":"plain","longpress.version":"2.1.0+512","longpress.revision":42,"longpress.language":"en","longpress.audience":"guest","longpress.action":"2241608e8271eac8"}"#
        )
    }

    @Test func `an audience without a timeline is served the default one`() throws {
        let guest = try #require(Audience("guest"))
        let json = try #require(try answer("2.1", audience: guest, timelines: [.default]))
        #expect(json["audience"]?.text == #""default""#)
        #expect(json["items"]?[1]?["userInfo"]?.text.contains("longpress.audience") == false)
    }

    @Test func `an audience's timeline counts whatever the version`() throws {
        let guest = try #require(Audience("guest"))
        let snapshot = try snapshot([try timeline(["1.0": "a"]), try timeline(["3.0": "b"], audience: guest)])
        #expect(ShortcutsAnswer(for: Client(build: try build("2.0"), audience: guest), in: snapshot) == nil)
    }

    @Test(arguments: ["1.9", "0", "1.9+999"]) func `a client older than every set has no answer`(client: String) throws {
        #expect(try answer(client, timelines: [.default]) == nil)
    }
}
