import Testing

@testable import QuickActions

@Suite struct ServedPersonalItemTests {
    private static func item(
        _ id: String = "p", at: String = #""at":1,"#, title: String = "To {name}", url: String? = "mail://to?a={address}",
        more: String = "",
        info: String = ""
    ) -> String {
        let tagURL = url.map { #","longpress.url":"\#($0)""# } ?? ""
        return #"""
            {\#(at)"source":"recent","limit":2,"type":"t","localizedTitle":"\#(title)"\#(more),"userInfo":{\#(info)"longpress.schema":1,
            "longpress.item":"\#(id)","longpress.version":"2.1.0","longpress.revision":4,"longpress.language":"en",
            "longpress.action":"00ff"\#(tagURL)}}
            """#
    }

    private func served(_ text: String, for client: AppBuild? = nil) throws -> ServedPersonalItem {
        try ServedPersonalItem(try read(text), for: client)
    }

    @Test func `is read with its templates and its tag`() throws {
        let item = try served(
            Self.item(more: #","localizedSubtitle":"{note}","icon":{"type":"mail"}"#, info: #""who":["{id}",{"x":"{deep}"},1],"#),
            for: try build("2.1+7"))
        #expect(item.id.description == "p" && item.at == 1 && item.source == "recent" && item.limit == 2 && item.action == "00ff")
        #expect(item.title.text == "To {name}" && item.subtitle?.text == "{note}" && item.icon?.type == "mail")
        #expect(item.placeholders == ["name", "note", "address", "id", "deep"])
        #expect(item.userInfo["longpress.url"] == .string("mail://to?a={address}"))
        #expect(item.userInfo["longpress.version"] == .string("2.1.0+7"))
    }

    @Test func `keeps the templates in what is registered, and fills what is delivered`() throws {
        let item = try served(Self.item(more: #","localizedSubtitle":"{note}""#, info: #""who":["{id}",{"x":"<{id}>"},true],"#))
        let values = ["name": "Ann", "address": "a+b@c", "note": "n", "id": "7", "unused": "u"]
        let registered = try #require(item.registered(with: values, isVisible: false))
        #expect(registered.title == "To Ann" && registered.subtitle == "n" && !registered.isVisible && registered.id == item.id)
        #expect(registered.userInfo["longpress.url"] == .string("mail://to?a={address}"))
        #expect(registered.userInfo["who"] == item.userInfo["who"])
        let carried = #"{"address":"a+b@c","id":"7","name":"Ann","note":"n","unused":"u"}"#
        #expect(registered.userInfo["longpress.values"] == .string(Text(carried)))
        let delivered = try #require(item.delivered(with: PersonalValues.read(registered.userInfo.json.members)))
        #expect(delivered.userInfo["longpress.url"] == .string("mail://to?a=a%2Bb%40c"))
        #expect(delivered.userInfo["who"]?.json.text == #"["7",{"x":"<7>"},true]"#)
        #expect(delivered.userInfo["longpress.values"] == nil)
        // What is registered is still a usable tag.
        #expect(TapTag(registered.userInfo.json.members)?.item == item.id)
    }

    @Test(arguments: ["name", "address"]) func `a missing value drops the item`(_ missing: String) throws {
        var values = ["name": "Ann", "address": "x"]
        values[missing] = nil
        let item = try served(Self.item())
        #expect(item.registered(with: values) == nil && item.delivered(with: values) == nil)
    }

    @Test func `a URL that becomes too long drops the item`() throws {
        let item = try served(Self.item())
        let room = ActionURL.maxBytes - "mail://to?a=".utf8.count
        #expect(item.registered(with: ["name": "A", "address": String(repeating: "a", count: room)]) != nil)
        #expect(item.registered(with: ["name": "A", "address": String(repeating: "a", count: room + 1)]) == nil)
        #expect(item.registered(with: ["name": "A", "address": String(repeating: "é", count: 100_000)]) == nil)
    }

    @Test func `texts are cut at 100 characters`() throws {
        let item = try served(Self.item(title: "{name}", url: nil, more: #","localizedSubtitle":"{name}""#))
        for character in ["x", "e\u{301}", "👨‍👩‍👧‍👦", "\u{1F1F0}\u{1F1F7}"] {
            let filled = try #require(item.registered(with: ["name": String(repeating: character, count: 100_000 / character.utf8.count)]))
            #expect(filled.title == Text(String(repeating: character, count: 100)) && filled.subtitle == filled.title)
        }
    }

    @Test(arguments: ["", " ", "\n", "\u{2028}\t"]) func `a blank title drops the item`(_ name: String) throws {
        #expect(try served(Self.item(title: "{name}", url: nil)).registered(with: ["name": name]) == nil)
    }

    @Test func `a title is one line`() throws {
        let filled = try served(Self.item(url: nil)).registered(with: ["name": "A\r\nB\u{0}C\u{2029}"])
        #expect(filled?.title == "To A  B C ")
    }

    @Test func `a value is never read as a template`() throws {
        let delivered = try served(Self.item()).delivered(with: ["name": "{address}}}{", "address": "{name}"])
        #expect(delivered?.title == "To {address}}}{")
        #expect(delivered?.userInfo["longpress.url"] == .string("mail://to?a=%7Bname%7D"))
    }

    @Test(arguments: [
        (#""at":1"#, #""at":-1"#), (#""at":1"#, #""at":"1""#), (#""limit":2"#, #""limit":0"#), (#""limit":2"#, #""limit":5"#),
        (#""source":"recent","#, ""), ("To {name}", "To {Name}"), ("{address}", "{"), (#""type":"t""#, #""type":1"#),
    ])
    func `a damaged one is refused`(_ part: String, _ other: String) throws {
        let text = Self.item().replacing(part, with: other)
        #expect(throws: DocumentError.self) { try served(text) }
    }

    @Test func `braces in the userInfo's keys are text`() throws {
        #expect(try served(Self.item(info: #""{":"{{","#)).delivered(with: ["name": "A", "address": "a"])?.userInfo["{"] == .string("{"))
        #expect(throws: DocumentError.self) { try served(Self.item(info: #""x":["{"],"#)) }
    }
}

@Suite struct CarriedPersonalTests {
    private static func subject(_ audience: String) -> String {
        #""app":"com.example.notes","version":"2.1","audience":"\#(audience)","revision":4"#
    }

    private static func stamp(_ id: String) -> String {
        #""longpress.schema":1,"longpress.item":"\#(id)","longpress.version":"2.1.0","longpress.revision":4,"longpress.language":"en","longpress.action":"00ff""#
    }

    private static func plain(_ id: String) -> String {
        #"{"type":"t.\#(id)","localizedTitle":"T","visible":true,"userInfo":{\#(stamp(id))}}"#
    }

    private static func personal(_ id: String, at: Int?) -> String {
        let at = at.map { #""at":\#($0),"# } ?? ""
        return #"{\#(at)"source":"s","limit":1,"type":"t.\#(id)","localizedTitle":"{x}","userInfo":{\#(stamp(id))}}"#
    }

    private static func bundle(_ audience: String = "default", more: String = "") -> String {
        let ids = ["a", "p", "q", "d"].map { #""\#($0)":{"outcome":"current","item":"\#($0)","action":"00ff","url":null}"# }
        let menu =
            #"{\#(subject(audience)),"language":"en","items":[\#(plain("a")),\#(plain("b"))],"personal":[\#(personal("q", at: 3)),\#(personal("p", at: 1))]}"#
        return
            #"{\#(subject(audience)),"continuity":{\#(subject(audience)),"ids":{\#(ids.joined(separator: ","))},"otherwise":{"outcome":"removed","url":"x:\#(audience)"}},"shortcuts":{"en":\#(menu)},"disabled":{"en":[]},"defaultLanguage":"en","disabledPersonal":{"en":[\#(personal("d", at: nil))]}\#(more)}"#
    }

    @Test func `the menu is in its order`() throws {
        let menu = try CarriedBundle(try read(Self.bundle()), in: .none).menu
        let ids = menu.entries.map { entry in
            switch entry {
            case .item(let item): item.id.description
            case .personal(let item): item.id.description
            }
        }
        #expect(ids == ["a", "p", "b", "q"] && menu.items.count == 2 && menu.personal.map(\.id.description) == ["p", "q"])
    }

    @Test(arguments: ["p", "q", "d"]) func `a tap resolves to the template, with the fallback`(_ id: String) throws {
        let bundle = try CarriedBundle(try read(Self.bundle()), in: .none)
        let landing = bundle.resolve(type: "x", TapTag(try read("{\(Self.stamp(id))}").members), installed: try build("2.1"))
        #expect(landing.outcome == .current && landing.item == nil && landing.personal?.id.description == id && landing.url == "x:default")
        let other = try read("{\(Self.stamp(id))}".replacing("00ff", with: "0000")).members
        #expect(bundle.resolve(type: "x", TapTag(other), installed: try build("2.1")).outcome == .changed)
    }

    @Test func `a type without a tag may be a template's`() throws {
        let bundle = try CarriedBundle(try read(Self.bundle()), in: .none)
        let landing = bundle.resolve(type: "t.p", nil, installed: try build("2.1"))
        #expect(landing.outcome == .untagged && landing.personal?.id.description == "p" && landing.url == "x:default")
        #expect(bundle.resolve(type: "t.d", nil, installed: try build("2.1")).outcome == .unknown)
    }

    @Test func `a document carries every audience`() throws {
        let others = #","audiences":{"member":\#(Self.bundle("member")),"vip":null}"#
        let all = try CarriedAudiences(try read(Self.bundle(more: others)), in: .none)
        func answer(_ audience: String) throws -> String {
            switch all[try #require(Audience(audience))] {
            case .bundle(let bundle): bundle.subject.audience.description
            case .keep: "keep"
            case .unknown: "unknown"
            }
        }
        #expect(all.isComplete && all.audiences.map(\.description) == ["default", "member"])
        #expect(try ["default", "member", "vip", "guest"].map(answer) == ["default", "member", "keep", "default"])
    }

    @Test func `a document of one audience knows no other`() throws {
        let one = try CarriedAudiences(try read(Self.bundle("member")), in: .none)
        #expect(!one.isComplete && one.audiences.map(\.description) == ["member"])
        if case .unknown = one[.default] {} else { Issue.record("knows the default audience") }
    }

    @Test(arguments: [#"{"member":{}}"#, #"{"Member":null}"#, "[]"]) func `damaged audiences are refused`(_ audiences: String) throws {
        let json = try read(Self.bundle(more: #","audiences":\#(audiences)"#))
        #expect(throws: DocumentError.self) { try CarriedAudiences(json, in: .none) }
        let mixed = try read(Self.bundle(more: #","audiences":{"guest":\#(Self.bundle("member"))}"#))
        #expect(throws: DocumentError.self) { try CarriedAudiences(mixed, in: .none) }
    }
}
