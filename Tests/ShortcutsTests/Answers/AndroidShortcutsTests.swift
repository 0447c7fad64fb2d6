import QuickActions
import Testing

@testable import Shortcuts

@Suite struct AndroidShortcutsTests {
    private func shortcuts(_ items: String, in language: String? = nil) throws -> JSON {
        AndroidShortcuts(of: try answer(items, in: language)).json
    }

    private func titled(_ title: String, subtitle: String? = nil) throws -> JSON {
        let title = JSON.string(title).text
        let subtitle = subtitle.map { #","subtitle":{"en":\#(JSON.string($0).text)}"# } ?? ""
        return try shortcuts(#"{"id":"a","type":"t","title":{"en":\#(title)}\#(subtitle)}"#)
    }

    @Test func `has the members of ShortcutInfo, and lists the rest`() throws {
        let json = try shortcuts(everyKind)
        let shortcut = try #require(json["shortcuts"]?[0])
        #expect(
            shortcut.text.hasPrefix(
                #"{"id":"all","shortLabel":"New Note","longLabel":"New Note – Start blank","rank":0,"intent":{"action":"android.intent.action.VIEW","data":"https://app.example/new","extras":{"f":false,"i":-5,"r":1.0,"s":"x","t":true,"longpress.schema":1,"longpress.item":"all","longpress.version":"2.1.0","longpress.revision":42,"longpress.language":"en","longpress.action":"#
            ))
        #expect(shortcut["intent"]?["extras"]?["longpress.url"]?.string == "https://app.example/new")
        #expect(
            json.omissions == [
                "all: icon", #"all: userInfo["a.b"]"#, "all: userInfo.d", "all: userInfo.l", "all: userInfo.m",
                "all: targetContentIdentifier",
            ])
        #expect(json.reasons[1...4].map { $0.prefix(7) } == ["A date ", "Data ca", "An arra", "A dicti"])
    }

    @Test func `extras have the values of supported types`() throws {
        let served = try #require(try answer(everyKind).json["items"]?[0]?["userInfo"])
        guard case .object(let members) = served else { return #expect(Bool(false)) }
        let held = JSON.object(members.filter { !["a.b", "d", "l", "m"].contains($0.name) })
        #expect(try shortcuts(everyKind)["shortcuts"]?[0]?["intent"]?["extras"]?.text == held.text)
    }

    @Test func `an item without a url opens the app`() throws {
        let intent = try titled("T")["shortcuts"]?[0]?["intent"]
        #expect(intent?.text.hasPrefix(#"{"action":"android.intent.action.MAIN","data":null,"extras":{"longpress.schema":1,"#) == true)
    }

    @Test func `ranks are the places of the enabled items`() throws {
        let items = ["a", "off", "b"].map { #"{"id":"\#($0)","type":"t","title":{"en":"T"},"enabled":\#($0 != "off")}"# }
        let shortcuts = try shortcuts(items.joined(separator: ","))["shortcuts"]?.elements ?? []
        #expect(shortcuts.map { $0["id"]?.string } == ["a", "b"])
        #expect(shortcuts.map { $0["rank"]?.text } == ["0", "1"])
    }

    static let family = "👩‍👩‍👧‍👦"

    @Test(arguments: [
        ("Ten chars!", "Ten chars!", "Ten chars!", []),
        ("New Document", "New Docum…", "New Document", ["a: shortLabel"]),
        ("New Note in my inbox", "New Note…", "New Note in my inbox", ["a: shortLabel"]),
        ("A title of 25 characters!", "A title o…", "A title of 25 characters!", ["a: shortLabel"]),
        ("A title of 26 characters!!", "A title o…", "A title of 26 characters…", ["a: shortLabel", "a: longLabel"]),
        (String(repeating: family, count: 10), String(repeating: family, count: 10), String(repeating: family, count: 10), []),
        (
            String(repeating: family, count: 26), String(repeating: family, count: 9) + "…", String(repeating: family, count: 24) + "…",
            ["a: shortLabel", "a: longLabel"]
        ),
        ("Drapeau 🇫🇷🇰🇷", "Drapeau 🇫🇷🇰🇷", "Drapeau 🇫🇷🇰🇷", []),
        ("Drapeaux 🇫🇷🇰🇷", "Drapeaux…", "Drapeaux 🇫🇷🇰🇷", ["a: shortLabel"]),
        (
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}x",
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}…",
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}x", ["a: shortLabel"]
        ),
        (#""quoted" \ and more"#, #""quoted"…"#, #""quoted" \ and more"#, ["a: shortLabel"]),
    ])
    func `labels are cut between grapheme clusters, and listed`(title: String, short: String, long: String, omitted: [String]) throws {
        let json = try titled(title)
        let shortcut = json["shortcuts"]?[0]
        #expect(shortcut?["shortLabel"]?.string?.unicodeScalars.elementsEqual(short.unicodeScalars) == true)
        #expect(shortcut?["longLabel"]?.string?.unicodeScalars.elementsEqual(long.unicodeScalars) == true)
        #expect(json.omissions == omitted)
        #expect((shortcut?["shortLabel"]?.string?.count ?? 99) <= 10 && (shortcut?["longLabel"]?.string?.count ?? 99) <= 25)
    }

    @Test(arguments: [
        ("Inbox", "Seventeen letters", "Inbox – Seventeen letters", []), ("Inbox", "Eighteen letters!!", "Inbox", ["a: subtitle"]),
        ("A title of 26 characters!!", "S", "A title of 26 characters…", ["a: shortLabel", "a: longLabel", "a: subtitle"]),
    ])
    func `the subtitle follows the title if both fit`(title: String, subtitle: String, long: String, omitted: [String]) throws {
        let json = try titled(title, subtitle: subtitle)
        #expect(json["shortcuts"]?[0]?["longLabel"]?.string == long)
        #expect(json.omissions == omitted)
    }

    @Test func `an empty menu is empty`() throws {
        #expect(try shortcuts("").text == #"{"shortcuts":[],"omitted":[]}"#)
    }
}
