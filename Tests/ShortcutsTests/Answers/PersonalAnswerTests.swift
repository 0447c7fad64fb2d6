import Foundation
import QuickActions
import Testing

@testable import Shortcuts

/// Personal items between others; one is disabled.
private let items = #"""
    {"id":"a","type":"t.a","title":{"en":"A"}},
    {"id":"p","type":"t.p","title":{"en":"To {name}","ko":"{name}에게"},"subtitle":{"en":"{note}"},"icon":{"type":"mail"},
     "url":"m://to?a={address}","userInfo":{"who":"{id}"},"targetContentIdentifier":"{main}",
     "personal":{"source":"recent","limit":2,"sample":{"name":"<Name>","note":"Note","address":"a@b","id":"7"}}},
    {"id":"b","type":"t.b","title":{"en":"B"}},
    {"id":"off","type":"t.off","title":{"en":"Off {x}"},"enabled":false,"personal":{"source":"other","sample":{"x":"X"}}},
    {"id":"q","type":"t.q","title":{"en":"Open {file}"},"personal":{"source":"files","sample":{"file":"F"}}}
    """#

@Suite struct PersonalAnswerTests {
    @Test func `lists personal items apart, with their templates`() throws {
        let json = try answer(items, in: "en").json
        #expect(json["items"]?.elements.map { $0["type"]?.string } == ["t.a", "t.b"])
        let personal = try #require(json["personal"])
        #expect(personal.elements.map { $0["at"]?.text } == ["1", "3"])
        #expect(
            personal[0]?.text
                == #"{"at":1,"source":"recent","limit":2,"type":"t.p","localizedTitle":"To {name}","localizedSubtitle":"{note}","icon":{"type":"mail"},"targetContentIdentifier":"{main}","userInfo":{"who":"{id}","longpress.schema":1,"longpress.item":"p","longpress.version":"2.1.0","longpress.revision":42,"longpress.language":"en","longpress.action":"\#(try hash("p"))","longpress.url":"m://to?a={address}"}}"#
        )
        #expect(personal[1]?["limit"]?.text == "1")
    }

    private func hash(_ id: String) throws -> String {
        try #require(try set(#"{"items":[\#(items)]}"#).items.first { $0.id.description == id }).actionHash
    }

    @Test func `sample values are never served`() throws {
        for sample in ["<Name>", "Note", "a@b", "sample"] { #expect(!(try answer(items).json.text.contains(sample))) }
    }

    @Test func `visible counts the items that are served without values`() throws {
        let plain = (0..<3).map { #"{"id":"n\#($0)","type":"n","title":{"en":"N"}}"# }.joined(separator: ",")
        let json = try answer("\(items),\(plain)").json
        #expect(json["items"]?.elements.map { $0["visible"]?.text } == ["true", "true", "true", "true", "false"])
        #expect(json["personal"]?[0]?["visible"] == nil)
    }

    @Test func `a menu without personal items has no new member`() throws {
        let text = try answer(
            #"{"id":"a","type":"t","title":{"en":"{ {x}"}},{"id":"o","type":"t","title":{"en":"{x}"},"enabled":false,"personal":{"source":"s","sample":{"x":"X"}}}"#
        ).json.text
        #expect(!text.contains("personal") && text.contains(#""localizedTitle":"{ {x}""#))
    }

    @Test func `the property list has them, too`() throws {
        let list = try PropertyListSerialization.propertyList(from: Data(try answer(items).json.xmlPropertyList), format: nil)
        let personal = (list as? [String: Any])?["personal"] as? [[String: Any]]
        #expect(personal?.map { $0["at"] as? Int } == [1, 3] && personal?[0]["localizedTitle"] as? String == "To {name}")
    }

    @Test func `other renderings name them as omitted`() throws {
        let answer = try answer(items)
        for json in [AndroidShortcuts(of: answer).json, WebManifest(of: answer, within: nil).json] {
            #expect(json.omissions.prefix(2) == ["p: null", "q: null"])
            #expect(json.reasons[0].contains(#"its source "recent""#))
            #expect(json["shortcuts"]?.text.contains("{name}") == false)
        }
        #expect(AndroidShortcuts(of: answer).json["shortcuts"]?.elements.map { $0["rank"]?.text } == ["0", "1"])
    }

    @Test func `a preview shows the sample values`() throws {
        let set = try set(#"{"items":[\#(items)]}"#)
        let published = PublishedSet(version: try version("2.0"), revision: 1, publishedAt: author.at, by: "ci", set: set)
        let app = try snapshot([Timeline(audience: .default, sets: [published])])
        let preview = Preview(for: Client(build: try build("2.0")), in: app).json
        #expect(preview["menu"]?.elements.map { $0["title"]?.string } == ["A", "To <Name>", "B", "Open F"])
        #expect(preview["menu"]?[1]?["subtitle"]?.string == "Note" && preview["menu"]?[1]?["url"]?.string == "m://to?a=a%40b")
        #expect(preview["menu"]?[1]?["personal"]?.text == #"{"source":"recent","limit":2}"# && preview["menu"]?[0]?["personal"] == nil)
        let simulation = Simulation(from: try build("2.0"), to: try build("2.1"), in: app)
        #expect(simulation.menu.entries.map(\.title) == ["A", "To <Name>", "B", "Open F"])
        #expect(simulation.menu.entries[1].targetTitle == "To <Name>")
        #expect(simulation.json["menu"]?[1]?["tap"]?["item"]?.string == "p")
    }

    @Test func `a client reads what is served`() throws {
        let menu = try ServedMenu(try read(try answer(items).json.text))
        #expect(menu.personal.map(\.id.description) == ["p", "q"] && menu.entries.count == 4)
        #expect(menu.personal[0].placeholders == ["name", "note", "address", "id"])
        let filled = menu.personal[0].delivered(with: ["name": "Ann", "note": "", "address": "x@y", "id": "1"])
        #expect(filled?.title == "To Ann" && filled?.userInfo["longpress.url"] == .string("m://to?a=x%40y"))
    }
}

@Suite struct PersonalTapTests {
    private func app(_ fallback: String = "@x:set") throws -> AppSnapshot {
        let set = try set(#"{"items":[\#(items)],"fallbackURL":"x:set"}"#)
        let published = PublishedSet(version: try version("2.0"), revision: 42, publishedAt: author.at, by: "ci", set: set)
        return try snapshot([Timeline(audience: .default, sets: [published])])
    }

    private func tap(_ body: String) throws -> TapAnswer {
        let tap = try TapDocument(try read(body)).tap(version: try version("2.1"), language: .none)
        return TapAnswer(to: tap, in: try app())
    }

    private func tag(_ id: String, _ more: String = "") -> String {
        #"{"longpress.schema":1,"longpress.item":"\#(id)","longpress.version":"2.0"\#(more)}"#
    }

    @Test(arguments: ["p", "q", "off"]) func `a template never becomes a url or an item`(_ id: String) throws {
        let json = try tap(#"{"type":"t","userInfo":\#(tag(id))}"#).json
        #expect(json["item"]?.text == "null" && json["url"]?.string == "x:set" && json["outcome"]?.string == "changed")
        #expect(json["personal"]?["userInfo"]?["longpress.item"]?.string == id)
        #expect((json["personal"]?["at"] == nil) == (id == "off"))
        let served = try ServedResolution(try read(json.text))
        #expect(served.item == nil && served.personal?.id.description == id && served.url == "x:set")
    }

    @Test func `other items are answered as before`() throws {
        let json = try tap(#"{"type":"t","userInfo":\#(tag("a"))}"#).json
        #expect(json["personal"] == nil && json["url"]?.text == "null" && json["item"]?["type"]?.string == "t.a")
    }

    @Test func `a type without a tag may be a template's`() throws {
        let json = try tap(#"{"type":"t.p"}"#).json
        #expect(json["outcome"]?.string == "untagged" && json["item"]?.text == "null" && json["url"]?.string == "x:set")
        #expect(json["personal"]?["source"]?.string == "recent")
    }

    @Test(arguments: [
        (#"{"type":"t","values":{"name":"SECRET"}}"#, true), (#"{"type":"t","longpress.values":"SECRET"}"#, true),
        (#"{"type":"t","values":null}"#, true), (#"{"type":"t","userInfo":{"longpress.values":"SECRET"}}"#, true),
        (#"{"type":"t","userInfo":{"longpress.values":{"name":["SECRET"]}}}"#, true),
        (
            #"{"type":"t","userInfo":{"longpress.values":"{\"name\":\"SECRET\"}","longpress.schema":1,"longpress.item":"p","longpress.version":"2.0"}}"#,
            true
        ),
        (#"{"type":"t","userInfo":{"values":1}}"#, false), (#"{"type":"t"}"#, false),
    ])
    func `values are ignored, noticed and not echoed`(_ body: String, _ isNoticed: Bool) throws {
        let answer = try tap(body)
        #expect(answer.ignoresValues == isNoticed && !answer.json.text.contains("SECRET"))
    }

    @Test func `continuity lists them with the fallback`() throws {
        let json = try #require(Continuity(for: try version("2.1"), .default, in: try app())).json
        #expect(json["ids"]?["p"]?["item"]?.string == "p" && json["ids"]?["p"]?["url"]?.string == "x:set")
        #expect(json["ids"]?["a"]?["url"]?.text == "null")
    }
}
