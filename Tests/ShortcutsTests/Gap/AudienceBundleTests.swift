import QuickActions
import Testing

@testable import Shortcuts

/// The bundle of all audiences, and a property: with it alone, taps of every audience resolve as the service resolves them.
@Suite struct AudienceBundleTests {
    private func member(_ name: String = "member") throws -> Audience { try #require(Audience(name)) }

    private func carried(_ snapshot: AppSnapshot, for client: String, in preference: LanguagePreference = .none) throws -> CarriedAudiences?
    {
        let client = try build(client)
        guard let json = AudienceBundles(for: client, in: snapshot)?.json else { return nil }
        return try CarriedAudiences(try read(json.text), in: preference, for: client)
    }

    @Test func `the first is the default bundle, and the others are as they are served`() throws {
        let app = try snapshot([
            try timeline(["1.0": "a"]), try timeline(["1.0": "m"], audience: try member()),
            try timeline(["3.0": "v"], audience: try member("vip")),
        ])
        let json = try #require(AudienceBundles(for: try build("2.0"), in: app)).json
        let alone = try #require(OfflineBundle(for: try build("2.0"), .default, in: app)).json
        #expect(json.text == alone.adding("audiences", try #require(json["audiences"])).text)
        let ofMember = OfflineBundle(for: try build("2.0"), try member(), in: app)?.json.text
        #expect(json["audiences"]?.text == #"{"member":\#(ofMember ?? ""),"vip":null}"#)
    }

    @Test func `without a default menu, another one comes first`() throws {
        let app = try snapshot([
            try timeline(["3.0": "a"]), try timeline(["1.0": "m"], audience: try member()),
            try timeline(["1.0": "g"], audience: try member("guest")),
        ])
        let all = try #require(try carried(app, for: "2.0"))
        #expect(all.first.subject.audience.description == "guest" && all.audiences.map(\.description) == ["guest", "member"])
        if case .keep = all[.default] {} else { Issue.record("the default audience has a menu") }
        if case .keep = all[try member("other")] {} else { Issue.record("an audience without a timeline has a menu") }
        #expect(try carried(app, for: "0.9") == nil)
    }

    @Test func `without a default timeline, others have none`() throws {
        let app = try snapshot([try timeline(["1.0": "m"], audience: try member())])
        let all = try #require(try carried(app, for: "2.0"))
        #expect(AudienceBundles(for: try build("2.0"), in: app)?.json["audiences"]?.text == #"{"default":null}"#)
        if case .keep = all[try member("other")] {} else { Issue.record("an audience without a timeline has a menu") }
    }

    private static let installed = ["0.5", "1.0", "1.7+3", "2.0", "2.0+9", "3.1", "9.0"]
    private static let languages = [[], ["ko-KR"], ["fr-CA", "en"], ["en-US"]]

    @Test func `offline is what the service says, for every audience`() throws {
        var (pairs, templates, downgrades) = (0, 0, 0)
        var outcomes: [TapOutcome: Int] = [:]
        var differences: [String] = []
        for seed in UInt64(1)...12 {
            var dice = SplitMix(state: seed)
            let snapshot = try randomSnapshot(&dice)
            for installed in try Self.installed.map(build) {
                let ranges = try (Self.languages.randomElement(using: &dice) ?? []).map(tag)
                let preference = LanguagePreference.ranges(ranges, refused: [])
                let all = try carried(snapshot, for: installed.description, in: preference)
                for audience in try ["default", "member", "guest", "vip"].map(member) {
                    let client = Client(build: installed, audience: audience, language: preference)
                    guard case .bundle(let bundle) = all?[audience] ?? .keep else {
                        if ShortcutsAnswer(for: client, in: snapshot) != nil { differences.append("seed \(seed): no menu for \(audience)") }
                        continue
                    }
                    for (type, userInfo) in try randomTaps(audience, in: snapshot, &dice) {
                        let tap = Tap(installed: installed, type: type, userInfo: userInfo, audience: audience, language: preference)
                        let asked = try ServedResolution(try read(TapAnswer(to: tap, in: snapshot).json.text))
                        let told = bundle.resolve(type: type, tap.tag, installed: installed)
                        pairs += 1
                        if asked.personal != nil { templates += 1 }
                        outcomes[told.outcome, default: 0] += 1
                        let isSame =
                            told.outcome == asked.outcome && told.item == asked.item && told.personal == asked.personal
                            && told.url == asked.url
                        if isSame { continue }
                        // Only the service can look for predecessors from a later version.
                        if told.origin == .future, told.outcome == .removed, asked.outcome == .replaced {
                            downgrades += 1
                            continue
                        }
                        differences.append("seed \(seed), \(audience) on \(installed): \(told) but \(asked)")
                    }
                }
            }
        }
        #expect(differences.prefix(3) == [])
        #expect(pairs > 2_000 && templates > 500 && downgrades < pairs / 20, "\(pairs), \(templates), \(downgrades)")
        let reached: [TapOutcome] = [.current, .equivalent, .changed, .replaced, .retired, .removed, .untagged, .unknown]
        #expect(reached.allSatisfy { outcomes[$0, default: 0] > 20 }, "\(outcomes)")
    }

    /// Taps on items and templates as served to any version and any audience, some with a damaged tag, and some without.
    private func randomTaps(
        _ audience: Audience, in snapshot: AppSnapshot, _ dice: inout SplitMix
    ) throws -> [(type: Text, userInfo: [JSON.Member])] {
        var taps: [(Text, [JSON.Member])] = ["t.a", "t.b", "t.shared", "t.none"].map { (Text($0), []) }
        for version in Self.installed.dropFirst() {
            let client = Client(build: try build(version), audience: audience)
            guard let answer = ShortcutsAnswer(for: client, in: snapshot) else { continue }
            for item in answer.effective.set.items where Int.random(in: 0..<3, using: &dice) > 0 {
                var members = answer.userInfo(of: item)
                func change(_ name: Text, _ value: JSON) {
                    members = members.map { $0.name == name ? JSON.Member(name, value) : $0 }
                }
                switch Int.random(in: 0..<9, using: &dice) {
                case 0: change("longpress.action", "ffffffffffffffff")
                case 1: change("longpress.schema", 2)
                case 2: change("longpress.item", "never")
                case 3: members.append(JSON.Member("longpress.values", #"{"name":"x"}"#))
                default: break
                }
                taps.append((item.type, members))
            }
        }
        return taps
    }

    private func randomSnapshot(_ dice: inout SplitMix) throws -> AppSnapshot {
        let names = ["default", "member", "vip"].filter { _ in Int.random(in: 0..<5, using: &dice) > 0 }
        let timelines = try (names.isEmpty ? ["member"] : names).enumerated().map { place, name in
            try randomTimeline(try member(name), first: Int64(10 * place + 1), &dice)
        }
        return try snapshot(timelines, app: try app(fallbackURL: Bool.random(using: &dice) ? "x:app" : nil))
    }

    /// Sets that could be published one after the other.
    private func randomTimeline(_ audience: Audience, first: Int64, _ dice: inout SplitMix) throws -> Timeline {
        let ids = ["a", "b", "c", "d", "e", "f", "g", "h"]
        var sets: [PublishedSet] = []
        for (place, from) in ["1.0", "1.5", "2.0", "3.0", "4.0"].enumerated() where place > 0 || Bool.random(using: &dice) {
            for _ in 0..<8 {
                var items: [String] = []
                var retired: [String] = []
                for id in ids {
                    let roll = Int.random(in: 0..<9, using: &dice)
                    if roll == 5 { retired.append(#"{"id":"\#(id)"\#(Bool.random(using: &dice) ? #","url":"x:\#(id)""# : "")}"#) }
                    guard roll < 5 else { continue }
                    let isPersonal = Bool.random(using: &dice)
                    let replaces = roll == 3 ? "\"\(ids[Int.random(in: 0..<ids.count, using: &dice)])\"" : ""
                    let text = isPersonal ? "To {name}" : "T"
                    let more = Bool.random(using: &dice) ? #","ko":"K \#(text)""# : ""
                    let url = Bool.random(using: &dice) ? #","url":"x:go/\#(id)\#(isPersonal ? "?{name}" : "")""# : ""
                    let source = ["s", "r"][Int.random(in: 0..<2, using: &dice)]
                    let rule = isPersonal ? #","personal":{"source":"\#(source)","limit":\#(roll % 4 + 1),"sample":{"name":"N"}}"# : ""
                    let info = Bool.random(using: &dice) ? #","userInfo":{"v":\#(place),"w":"\#(text)"}"# : ""
                    let type = id > "f" ? "t.shared" : "t.\(id)"
                    items.append(
                        #"{"id":"\#(id)","type":"\#(type)","title":{"en":"\#(text)"\#(more)},"enabled":\#(roll != 4),"replaces":[\#(replaces)]\#(url)\#(info)\#(rule)}"#
                    )
                }
                let fallback = Bool.random(using: &dice) ? #","fallbackURL":"x:set\#(place)""# : ""
                let text = #"{"items":[\#(items.joined(separator: ","))],"retired":[\#(retired.joined(separator: ","))]\#(fallback)}"#
                let timeline = Timeline(audience: audience, sets: sets)
                guard let set = try? set(text), (try? timeline.requireNoReusedIDs(in: set, from: version(from))) != nil else { continue }
                sets.append(
                    PublishedSet(
                        version: try version(from), revision: first + Int64(place), publishedAt: Timestamp(milliseconds: 0), by: "ci",
                        set: set))
                break
            }
        }
        return Timeline(audience: audience, sets: sets)
    }
}

/// The same seed gives the same run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 0xD134_2543_DE82_EF95 &+ 1
        return state ^ (state >> 32)
    }
}
