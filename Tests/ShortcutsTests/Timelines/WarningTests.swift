import Testing

@testable import Shortcuts

@Suite struct WarningTests {
    private func warnings(
        _ set: ShortcutSet, at from: String = "2.0", in timelines: [Timeline] = [], releases: [(String, String)] = [], name: String? = nil,
        known: [String] = []
    ) throws -> [String] {
        let change = SetChange(version: try version(from), audience: .default, action: .publish(set), precondition: .none)
        let snapshot = try snapshot(timelines, releases: try releases.map { try release($0.0, $0.1) }, app: try app(name: name))
        let known = Set(try known.map(id))
        let plan = try Publication.plan(change, in: snapshot, revision: 9, known: { _ in known }, by: author, announcer: announcer)
        guard case .change(let publication) = plan else { return [] }
        return publication.warnings.map { "\($0.path): \($0.code)" }
    }

    private func item(_ members: String) throws -> ShortcutSet { try set(#"{"items":[{"id":"a","type":"t",\#(members)}]}"#) }

    @Test(arguments: [("a b c d", []), ("a b c d e", ["items: over-budget"]), ("a b c d !e !f", []), ("", [])] as [(String, [String])])
    func `more than four is a warning`(words: String, expected: [String]) throws {
        #expect(try warnings(try sketch(words)) == expected)
    }

    @Test(arguments: [("2.0", true), ("2.5", true), ("2.9+7", true), ("3.0", false)])
    func `the budget is that of every release of the stretch`(at: String, warns: Bool) throws {
        let three = #"{"staticItems":[{"type":"x","title":"X"},{"type":"y","title":"Y"},{"type":"z","title":"Z"}]}"#
        #expect(
            try warnings(
                try sketch("a b"), in: [try timeline(["2.0": "a", "3.0": "a b"])],
                releases: [("2.0", "{}"), (at, three)].filter { $0.0 != at || $0.1 == three }) == (warns ? ["items: over-budget"] : []))
    }

    @Test(arguments: [
        ("New 📝", true), ("❤️", true), ("1️⃣", true), ("🇰🇷 hi", true), ("Page 1 #2", false), ("© 2026 ™", false), ("☎ call", false),
        ("새 메모", false), ("👨‍👩‍👧", true),
    ])
    func `an emoji is drawn as a picture`(title: String, warns: Bool) throws {
        #expect(try warnings(try item(#""title":{"en":"\#(title)"}"#)) == (warns ? ["items[0].title.en: title-emoji"] : []))
    }

    @Test(arguments: [("Open Notes", true), ("open NOTES now", true), ("New Note", false)])
    func `a title does not repeat the app's name`(title: String, warns: Bool) throws {
        let set = try item(#""title":{"en":"\#(title)"}"#)
        #expect(try warnings(set, name: "Notes") == (warns ? ["items[0].title.en: title-app-name"] : []))
        #expect(try warnings(set, releases: [("2.0", #"{"displayName":"Notes"}"#)]) == (warns ? ["items[0].title.en: title-app-name"] : []))
    }

    @Test(arguments: [("t", "X", true), ("t", "Y", false), ("u", "X", false)])
    func `a static twin has the same type and title`(type: String, title: String, warns: Bool) throws {
        #expect(
            try warnings(
                try item(#""title":{"en":"E","fr":"X"}"#),
                releases: [("2.0", #"{"staticItems":[{"type":"\#(type)","title":"\#(title)"}]}"#)])
                == (warns ? ["items[0]: static-twin"] : []))
    }

    @Test(arguments: [
        ("{}", []), (#"{"assets":{"images":["F"],"symbols":["s"]}}"#, []),
        (#"{"assets":{"images":[],"symbols":[]}}"#, ["items[0].icon.file: asset-missing", "items[0].icon.symbol: asset-missing"]),
        (#"{"assets":{"images":["f"],"symbols":["s"]}}"#, ["items[0].icon.file: asset-missing"]),
    ])
    func `an asset must be in each release whose assets are known`(release: String, expected: [String]) throws {
        #expect(try warnings(try item(#""title":{"en":"E"},"icon":{"file":"F","symbol":"s"}"#), releases: [("2.0", release)]) == expected)
    }

    @Test(
        arguments: [
            (["notes"], []), (["NOTES"], []),
            (["note"], ["items[0].url: scheme-undeclared", "retired[0].url: scheme-undeclared", "fallbackURL: scheme-undeclared"]),
        ] as [([String], [String])])
    func `a scheme must be declared`(schemes: [String], expected: [String]) throws {
        let set = try set(
            #"{"items":[{"id":"a","type":"t","title":{"en":"T"},"url":"Notes://a"},{"id":"b","type":"t","title":{"en":"T"},"url":"https://a"}],"retired":[{"id":"r","url":"notes:r"}],"fallbackURL":"notes:f"}"#
        )
        let list = schemes.map { "\"\($0)\"" }.joined(separator: ",")
        #expect(try warnings(set, releases: [("2.0", #"{"urlSchemes":[\#(list)]}"#)], known: ["r"]) == expected)
        #expect(try warnings(set, known: ["r"]) == [])
    }

    @Test(arguments: ["1.0", "3.0"]) func `a release outside the stretch has no say in assets and schemes`(at: String) throws {
        let set = try item(#""title":{"en":"E"},"icon":{"file":"F"},"url":"notes:a""#)
        #expect(
            try warnings(set, in: [try timeline(["1.0": "a", "3.0": "a"])], releases: [(at, #"{"assets":{"images":[],"symbols":[]}}"#)])
                == [])
    }

    @Test(
        arguments: [("a", ["b", "p"]), ("a b p", []), ("a<b p", []), ("a -b -p", []), ("", ["a", "b", "p"]), ("!b a !p", [])]
            as [(String, [String])])
    func `an id of the former revision or the version before is not dropped in silence`(words: String, dropped: [String]) throws {
        let timelines = [try timeline(["1.0": "old", "1.5": "a p", "2.0": "a b"])]
        #expect(
            try warnings(try sketch(words), in: timelines, known: ["a", "b", "p"]).sorted() == dropped.map { _ in "items: id-dropped" })
    }

    @Test func `an id never seen may be replaced`() throws {
        #expect(try warnings(try sketch("a<x,y -z"), known: ["y"]) == ["items[0].replaces[0]: unknown-id", "retired[0].id: unknown-id"])
    }
}
