import QuickActions
import Testing

@testable import Shortcuts

@Suite struct SimulationTests {
    private static let search = #"{"staticItems":[{"type":"search","title":"SEARCH"}]}"#
    private static let five =
        #"{"staticItems":[{"type":"1","title":"1"},{"type":"2","title":"2"},{"type":"3","title":"3"},{"type":"4","title":"4"},{"type":"5","title":"5"}]}"#

    private func simulate(
        _ from: String, _ to: String, _ timelines: [Timeline], releases: [(String, String)] = [], audience: Audience = .default,
        language: String? = nil
    ) throws -> Simulation {
        Simulation(
            from: try build(from), to: try build(to), audience: audience, language: .exactly(try language.map(tag)),
            in: try snapshot(timelines, releases: try releases.map { try release($0.0, $0.1) }, app: try app(fallbackURL: "x:app")))
    }

    /// `SEARCH=static, T a=replaced>b | T b=…`; hidden items follow the bar.
    private func sketch(_ menu: Simulation.Menu) -> String {
        func words(_ entries: ArraySlice<Simulation.Entry>) -> String {
            entries.map { "\($0.title)=\($0.tap.outcome)" + ($0.tap.item.map { ">\($0.id)" } ?? $0.tap.url.map { "@\($0)" } ?? "") }
                .joined(separator: ", ")
        }
        return words(menu.shown) + (menu.hidden.isEmpty ? "" : " | " + words(menu.hidden))
    }

    @Test(arguments: [
        // The new version's static item precedes the items that the old version registered.
        ("1.0", "2.0", "SEARCH=static, T a=replaced>c, T b=retired@x:b", "SEARCH=static, T c=current>c", "+c -a,b ~"),
        ("1.0", "1.5", "T a=current>a, T b=current>b", "T a=current>a, T b=current>b", "+ - ~"),
        ("2.0", "3.0", "SEARCH=static, T c=removed@x:app", "SEARCH=static", "+ -c ~"),
        // A downgrade resolves to a predecessor.
        ("2.0", "1.0", "T c=replaced>a", "T a=current>a, T b=current>b", "+a,b -c ~"),
        // No set for the old version: nothing was registered.
        ("0.5", "1.0", "", "T a=current>a, T b=current>b", "+a,b - ~"),
        // No set for the new version: the app keeps the registered items.
        ("1.0", "0.5", "T a=removed@x:app, T b=removed@x:app", "T a=removed@x:app, T b=removed@x:app", "+ - ~"),
        ("0.4", "0.5", "", "", "+ - ~"),
        ("1.0+7", "2.0.0+512", "SEARCH=static, T a=replaced>c, T b=retired@x:b", "SEARCH=static, T c=current>c", "+c -a,b ~"),
    ])
    func `simulates the menus around the first launch`(from: String, to: String, before: String, after: String, change: String) throws {
        let timeline = try timeline(["1.0": "a b !off", "2.0": "c<a -b@x:b", "3.0": ""])
        let simulation = try simulate(from, to, [timeline], releases: [("2.0", Self.search)])
        #expect(sketch(simulation.menu) == before)
        #expect(sketch(simulation.afterLaunch) == after)
        func list(_ ids: [ItemID]) -> String { ids.map(\.description).joined(separator: ",") }
        let found = simulation.change
        #expect("+\(list(found.added)) -\(list(found.removed)) ~\(list(found.changed))" == change)
    }

    @Test(arguments: [
        ("2.0", "T a=current>a, T b=current>b, T c=current>c, T d=current>d | T e=current>e"),
        ("3.0", "SEARCH=static, T a=current>a, T b=current>b, T c=current>c | T d=current>d, T e=current>e"),
        (
            "4.0",
            "1=static, 2=static, 3=static, 4=static | 5=static, T a=current>a, T b=current>b, T c=current>c, T d=current>d, T e=current>e"
        ),
    ])
    func `shows four, static ones first`(to: String, menu: String) throws {
        let releases = [("2.0", "{}"), ("3.0", Self.search), ("4.0", Self.five)]
        let simulation = try simulate("1.0", to, [try timeline(["1.0": "a b c d e"])], releases: releases)
        #expect(sketch(simulation.menu) == menu)
    }

    @Test func `the last release of the new version has the static items, unless a build is named`() throws {
        let releases = [("2.0+1", Self.search), ("2.0+2", "{}")]
        let timelines = [try timeline(["1.0": "a"])]
        #expect(sketch(try simulate("1.0", "2.0", timelines, releases: releases).menu) == "T a=current>a")
        #expect(sketch(try simulate("1.0", "2.0+1", timelines, releases: releases).menu) == "SEARCH=static, T a=current>a")
    }

    @Test func `simulates an audience and a language`() throws {
        let member = try #require(Audience("member"))
        let guest = try #require(Audience("guest"))
        let titles = #""title":{"en":"Compose","ko":"쓰기"}"#
        let korean = try set(#"{"items":[{"id":"m","type":"t",\#(titles)}]}"#)
        let published = PublishedSet(
            version: try version("1.0"), revision: 2, publishedAt: Timestamp(milliseconds: 0), by: "ci", set: korean)
        let timelines = [try timeline(["1.0": "a"]), Timeline(audience: member, sets: [published])]
        let simulation = try simulate("1.0", "2.0", timelines, audience: member, language: "ko-KR")
        #expect(sketch(simulation.menu) == "쓰기=current>m")
        #expect(simulation.language.description == "ko" && simulation.audience == member)
        #expect(try simulate("1.0", "2.0", timelines, audience: guest).audience == .default)
    }

    @Test(arguments: [
        (#""title":{"en":"Old"}"#, #""title":{"en":"New"}"#, true),
        (#""title":{"en":"T","ko":"K"}"#, #""title":{"en":"T","ko":"L"}"#, false),
        (#""title":{"en":"T"}"#, #""title":{"en":"T"},"subtitle":{"en":"S"}"#, true),
        (#""title":{"en":"T"}"#, #""title":{"en":"T"},"icon":{"type":"add"}"#, true),
        (#""title":{"en":"T"}"#, #""title":{"en":"T"},"url":"x:y""#, true),
        (#""title":{"en":"T"}"#, #""title":{"en":"T"},"replaces":["b"]"#, false),
    ])
    func `an item is changed by its looks or its action`(old: String, new: String, changes: Bool) throws {
        let sets = try [("1.0", old), ("2.0", new)].map { from, members in
            PublishedSet(
                version: try version(from), revision: from == "1.0" ? 1 : 2, publishedAt: Timestamp(milliseconds: 0), by: "ci",
                set: try set(#"{"items":[{"id":"a","type":"t",\#(members)}]}"#))
        }
        let simulation = try simulate("1.0", "2.0", [Timeline(audience: .default, sets: sets)])
        #expect(simulation.change.changed.map(\.description) == (changes ? ["a"] : []))
    }

    @Test func `the menu is reversed for an icon at the bottom of the screen`() throws {
        let json = try simulate("1.0", "1.0", [try timeline(["1.0": "a b c d e"])]).json
        #expect(json["positions"]?.text == #"{"top":["T a","T b","T c","T d"],"bottom":["T d","T c","T b","T a"]}"#)
    }

    @Test func `is drawn for a terminal`() throws {
        let simulation = try simulate(
            "1.0", "2.0", [try timeline(["1.0": "a b k", "2.0": "c<a -b@x:b k"])],
            releases: [("2.0", #"{"staticItems":[{"type":"search","title":"SEA\nRCH"}]}"#)])
        let expected = """
            com.example.notes 1.0.0 → 2.0.0, updated and not launched yet (audience default, language en)

            The icon at the top of the screen: the first item is the upper one
              ▣
              ├ SEA\u{FFFD}RCH [static]
              ├ T a
              ├ T b
              └ T k

            The icon at the bottom of the screen: the first item is the lower one
              ┌ T k
              ├ T b
              ├ T a
              ├ SEA\u{FFFD}RCH [static]
              ▣

            A tap before the first launch
              1. SEA\u{FFFD}RCH [static]: static, the app acts on its type search
              2. T a: replaced, acts on c (T c), which replaces it
              3. T b: retired, the item was retired, opens x:b
              4. T k: equivalent, does what it says, as registered from another revision or language

            The first launch of 2.0.0
              + c
              - a
              - b
              shows: SEA\u{FFFD}RCH, T c, T k

            """
        #expect(simulation.drawing == expected)
    }
}
