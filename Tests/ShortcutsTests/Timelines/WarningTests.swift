import Testing

@testable import Shortcuts

@Suite struct WarningTests {
    private func warnings(
        _ set: ShortcutSet, at from: String = "2.0", in timelines: [Timeline] = [], releases: [(String, String)] = [], name: String? = nil,
        known: [String] = []
    ) throws -> [String] {
        let change = SetChange(
            version: try version(from), audience: .default, action: .publish(set), writeCondition: .none, consent: .notNeeded)
        let snapshot = try snapshot(timelines, releases: try releases.map { try release($0.0, $0.1) }, app: try app(name: name))
        let known = Set(try known.map(id))
        let plan = try Publication.plan(change, in: snapshot, revision: 9, known: { _ in known }, by: author)
        guard case .change(let publication) = plan else { return [] }
        return publication.warnings.map { "\($0.path): \($0.code)" }
    }

    /// The codes. A plus marks new ones.
    private func marked(
        _ document: String, over current: String?, below: String = #"{"items":[]}"#, releases: [(String, String)] = []
    ) throws -> [String] {
        func published(_ from: String, _ document: String) throws -> PublishedSet {
            PublishedSet(version: try version(from), revision: 1, publishedAt: author.at, by: "ci", set: try set(document))
        }
        let sets = [try published("1.0", below)] + (try current.map { [try published("2.0", $0)] } ?? [])
        let change = DraftChange(version: try version("2.0"), audience: .default, writeCondition: .none)
        let snapshot = try snapshot(
            [Timeline(audience: .default, sets: sets)], releases: try releases.map { try release($0.0, $0.1) }, app: try app())
        return try change.warnings(of: try set(document), in: snapshot) { _ in [] }.map { ($0.isNew ? "+" : "") + $0.code }
    }

    private static func items(_ items: String...) -> String {
        #"{"items":[\#(items.enumerated().map { #"{"id":"\#("abcdefgh".prefix($0 + 1).suffix(1))","type":"t",\#($1)}"# }.joined(separator: ","))]}"#
    }

    @Test func `a warning is new unless the published set has it`() throws {
        let (emoji, plain) = (#""title":{"en":"New 📝"}"#, #""title":{"en":"New"}"#)
        #expect(try marked(Self.items(emoji), over: nil) == ["+title-emoji"])
        #expect(try marked(Self.items(emoji), over: Self.items(plain)) == ["+title-emoji"])
        #expect(try marked(Self.items(emoji), over: Self.items(emoji)) == ["title-emoji"])
        // Another wording or path does not make a warning new.
        #expect(try marked(Self.items(#""title":{"en":"Neu 📝"}"#), over: Self.items(emoji)) == ["title-emoji"])
        let moved = #"{"items":[{"id":"b","type":"t",\#(plain)},{"id":"a","type":"t",\#(emoji)}]}"#
        #expect(try marked(moved, over: Self.items(emoji, plain)) == ["title-emoji"])
        // Another item or language does.
        #expect(try marked(Self.items(emoji, emoji), over: Self.items(emoji, plain)) == ["title-emoji", "+title-emoji"])
        #expect(try marked(Self.items(#""title":{"en":"N 📝","ko":"N 📝"}"#), over: Self.items(emoji)) == ["title-emoji", "+title-emoji"])
    }

    @Test func `an id that was dropped before is not dropped anew`() throws {
        let (both, first) = (try text(sketch("a b").canonicalJSON), try text(sketch("a").canonicalJSON))
        #expect(try marked(first, over: nil, below: both) == ["+id-dropped"])
        #expect(try marked(first, over: both, below: both) == ["+id-dropped"])
        #expect(try marked(first, over: first, below: both) == ["id-dropped"])
        #expect(try marked(#"{"items":[]}"#, over: first, below: both).sorted() == ["+id-dropped", "id-dropped"])
    }

    @Test func `the published set is checked with the same releases`() throws {
        let releases = [("2.0", #"{"assets":{"images":[],"symbols":[]},"urlSchemes":[]}"#)]
        let (one, other) = (#""title":{"en":"T"},"icon":{"file":"F"},"url":"x:1""#, #""title":{"en":"T"},"icon":{"file":"G"},"url":"x:2""#)
        #expect(try marked(Self.items(one), over: Self.items(one), releases: releases) == ["asset-missing", "scheme-undeclared"])
        #expect(try marked(Self.items(other), over: Self.items(one), releases: releases) == ["+asset-missing", "scheme-undeclared"])
    }

    private func item(_ members: String) throws -> ShortcutSet { try set(#"{"items":[{"id":"a","type":"t",\#(members)}]}"#) }

    @Test(arguments: [("a b c d", []), ("a b c d e", ["items: over-budget"]), ("a b c d !e !f", []), ("", [])] as [(String, [String])])
    func `more than four is a warning`(words: String, expected: [String]) throws {
        #expect(try warnings(try sketch(words)) == expected)
    }

    @Test(arguments: [("2.0", true), ("2.5", true), ("2.9+7", true), ("3.0", false)])
    func `the budget is the least of all releases of the set`(at: String, warns: Bool) throws {
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
    func `warns of emoji presentation`(title: String, warns: Bool) throws {
        #expect(try warnings(try item(#""title":{"en":"\#(title)"}"#)) == (warns ? ["items[0].title.en: title-emoji"] : []))
    }

    @Test(arguments: [
        (#"\u200B"#, ["title-invisible"]), (#"\u2060\uFEFF \u3164\u2800"#, ["title-invisible"]), (#"\u200BNew"#, []),
        (#"New\u202E"#, ["text-direction"]), (#"\u202Da\u202C"#, ["text-direction"]), (#"\u202Aa"#, ["text-direction"]),
        (#"a\u202C"#, ["text-direction"]), (#"\u202Aa\u202C"#, []), (#"\u2067a\u2069 b"#, []), (#"\u2066a"#, ["text-direction"]),
        (#"a\u2069"#, ["text-direction"]), (#"\u2066\u202Aa\u2069\u202C"#, ["text-direction"]), (#"\u2066\u202Aa\u202C\u2069"#, []),
        (#"\u2068\u2069"#, ["title-invisible"]), (#"\u202E"#, ["title-invisible", "text-direction"]),
        ("שלום", []), ("👨‍👩‍👧", ["title-emoji"]), (#"a\u200Db"#, []),
    ])
    func `warns of text that a menu does not show as it is written`(text: String, codes: [String]) throws {
        #expect(try warnings(try item(#""title":{"en":"\#(text)"}"#)) == codes.map { "items[0].title.en: \($0)" })
        let flaws = codes.filter { $0 != "title-emoji" }
        let subtitled = try item(#""title":{"en":"T"},"subtitle":{"ko":"\#(text)"}"#)
        #expect(try warnings(subtitled) == flaws.map { "items[0].subtitle.ko: \($0)" })
        let statics = #"{"staticItems":[{"type":"t","title":"\#(text)","subtitle":"S"},{"type":"t","title":"T","subtitle":"\#(text)"}]}"#
        let found = try release("2.0", statics).warnings(after: nil).map { "\($0.path): \($0.code)" }
        #expect(found == flaws.map { "staticItems[0].title: \($0)" } + flaws.map { "staticItems[1].subtitle: \($0)" })
        #expect(try release("2.0", statics).warnings(after: try release("2.0", statics)).allSatisfy { !$0.isNew })
    }

    @Test func `nothing is not shown as nothing`() throws {
        #expect(try warnings(try item(#""title":{"en":"T"},"subtitle":{"en":""}"#)) == [])
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

    @Test(arguments: ["1.0", "3.0"]) func `assets and schemes are those of releases of the set`(at: String) throws {
        let set = try item(#""title":{"en":"E"},"icon":{"file":"F"},"url":"notes:a""#)
        #expect(
            try warnings(set, in: [try timeline(["1.0": "a", "3.0": "a"])], releases: [(at, #"{"assets":{"images":[],"symbols":[]}}"#)])
                == [])
    }

    @Test(
        arguments: [("a", ["b", "p"]), ("a b p", []), ("a<b p", []), ("a -b -p", []), ("", ["a", "b", "p"]), ("!b a !p", [])]
            as [(String, [String])])
    func `warns of dropped ids of the previous revision and of the version before`(words: String, dropped: [String]) throws {
        let timelines = [try timeline(["1.0": "old", "1.5": "a p", "2.0": "a b"])]
        #expect(
            try warnings(try sketch(words), in: timelines, known: ["a", "b", "p"]).sorted() == dropped.map { _ in "items: id-dropped" })
    }

    @Test(
        arguments: [
            // In an earlier revision, of this set or of a deleted one.
            ("2.0", "b", ["1.0": "b", "2.0": "b"], ["a"]), ("1.0", "b c", ["1.0": "b"], ["a"]), ("2.0", "b", [:], ["a"]),
            // Two versions below.
            ("3.0", "b", ["1.0": "a", "2.0": "b"], ["a"]),
            // Resolved by this set, by an earlier one, and by a complete or broken chain.
            ("2.0", "b -a", ["1.0": "b"], []), ("2.0", "b<a", ["1.0": "b"], []), ("3.0", "c", ["1.0": "c -a", "2.0": "c"], []),
            ("3.0", "c<b", ["1.0": "a", "2.0": "b<a"], []), ("3.0", "c", ["1.0": "a", "2.0": "b<a"], ["b", "a"]),
            // A later set has the id or resolves it.
            ("1.0", "b", ["1.0": "b", "2.0": "a b"], []), ("1.0", "b", ["1.0": "b", "2.0": "c<a b"], []),
            ("1.0", "b", ["1.0": "b", "2.0": "b -a"], []), ("1.0", "b", ["1.0": "a b", "2.0": "a b"], ["a"]),
        ] as [(String, String, KeyValuePairs<String, String>, [String])])
    func `warns of ids of previous revisions that nothing resolves`(
        from: String, words: String, current: KeyValuePairs<String, String>, dropped: [String]
    ) throws {
        let change = DraftChange(version: try version(from), audience: .default, writeCondition: .none)
        let published = (current.map(\.value) + [words, "a"]).joined()
        let known = Set(try ["a", "b", "c"].filter(published.contains).map(id))
        let timelines = [try timeline(current)].filter { !$0.sets.isEmpty }
        let warnings = try change.warnings(of: try sketch(words), in: try snapshot(timelines)) { _ in known }
        #expect(warnings.map(\.code) == dropped.map { _ in "id-dropped" })
        for (warning, id) in zip(warnings, dropped) { #expect(warning.message.contains("\"\(id)\"")) }
    }

    @Test func `an id that was dropped long ago is not new`() throws {
        let change = DraftChange(version: try version("2.0"), audience: .default, writeCondition: .none)
        let snapshot = try snapshot([try timeline(["2.0": "b"])])
        let known = Set(try ["a", "b"].map(id))
        let warnings = try change.warnings(of: try sketch("c"), in: snapshot) { _ in known }
        #expect(warnings.map(\.isNew) == [true, false], "b is dropped now, a was before")
    }

    @Test func `an id never seen may be replaced`() throws {
        #expect(try warnings(try sketch("a<x,y -z"), known: ["y"]) == ["items[0].replaces[0]: unknown-id", "retired[0].id: unknown-id"])
    }
}
