import Foundation
import QuickActions
import Testing

@testable import LongpressKit
@testable import Shortcuts

/// A property of random timelines with roll-outs: in both arms, with the fetched bundle, or with the bundled file of all audiences, the
/// client resolves like the service.
@Suite struct AgreementTests {
    private static let versions = ["0.5", "1.0", "1.7+3", "2.0", "2.0+9", "3.1", "9.0"]
    private static let languages = [[], ["ko-KR"], ["fr-CA", "en"], ["zh-TW", "ko"], ["en-US"]]

    @Test func `offline is what the service says`() async throws {
        var pairs = 0
        var downgrades = 0
        var outcomes: [ResolvedAction.Outcome: Int] = [:]
        var personal = (filled: 0, unfilled: 0)
        var arms: [RolloutArm: Int] = [:]
        var differences: [String] = []
        for seed in UInt64(1)...60 {
            var dice = Dice(state: seed)
            let snapshot = try randomSnapshot(&dice)
            for installed in Self.versions {
                let audience = [nil, "member", "guest"].randomElement(using: &dice) ?? nil
                var bench = try Bench(.offline, version: String(installed.prefix { $0 != "+" }))
                bench.configuration.build = installed.contains("+") ? String(installed.drop { $0 != "+" }.dropFirst()) : nil
                bench.configuration.audience = audience
                bench.configuration.languages = Self.languages.randomElement(using: &dice) ?? []
                bench.configuration.patience = .zero
                let build = try #require(AppBuild(installed))
                bench.configuration.staticTypes = Set(snapshot.release(for: build)?.staticItems.map(\.type.string) ?? [])
                let digits = String(format: "%032x", Int.random(in: 0 ... .max, using: &dice))
                bench.storage.files.withLock { $0["\(appID).installation"] = Seal.close(Array(digits.utf8)) }
                // As in an HTTP answer: a client of an audience without a timeline has the default one's.
                let service = ScriptedTransport(DomainService(snapshot: snapshot))
                let filling = LongpressClient(
                    bench.configuration, bundled: nil, storage: bench.storage, transport: service, environment: bench.clock.environment)
                guard try await filling.refresh() != .keep else { continue }
                let offline = bench.client()
                var fresh = bench
                fresh.storage = MemoryStorage()
                let file = try #require(AudienceBundles(for: build, in: snapshot)).json.encodedLine
                let carrying = fresh.client(bundled: Data(file))
                var online = bench
                online.storage = MemoryStorage()
                online.configuration.patience = .seconds(60)
                let candidate = snapshot.timeline(for: audience.flatMap(Audience.init) ?? .default).effectiveSet(for: build.version)?
                    .candidate
                let asking = RolloutArm.allCases.reduce(into: [RolloutArm: LongpressClient]()) { clients, arm in
                    let choice = candidate.map { ChosenArm(rollout: $0.rollout.description, arm: arm, share: $0.share) }
                    clients[arm] = LongpressClient(
                        online.configuration, bundled: nil, storage: online.storage,
                        transport: ScriptedTransport { DomainService(snapshot: snapshot).answer($0.adding(choice)) }, environment: .system)
                }
                let chosen = await offline.shownArm
                #expect(chosen?.rollout == candidate?.rollout.description)
                for tap in try randomTaps(in: snapshot, &dice) {
                    let tag = TapTag(tap.userInfo.tagMembers)
                    let isOfCandidate = candidate != nil && tag?.revision == candidate?.revision
                    // The bundled file does not choose: it resolves an item with the candidate's revision in its arm.
                    for (client, arm) in [(offline, chosen?.arm ?? .control), (carrying, isOfCandidate ? .candidate : .control)] {
                        let told = await client.resolve(tap)
                        let asked = try #require(await asking[arm]?.resolve(tap))
                        pairs += 1
                        if candidate != nil { arms[arm, default: 0] += 1 }
                        if !asked.values.isEmpty, asked.item == nil { personal.unfilled += 1 }
                        if !asked.values.isEmpty, asked.item != nil { personal.filled += 1 }
                        outcomes[asked.outcome, default: 0] += 1
                        if told.same(as: asked) { continue }
                        // Only the service can look for predecessors from a later version.
                        let isFuture = tag.map { TapOrigin(of: $0.version, installed: build) == .future } ?? false
                        if isFuture, told.outcome == .removed, asked.outcome == .replaced {
                            downgrades += 1
                            continue
                        }
                        let place = "\(installed) \(audience ?? "default") \(arm)\(client === carrying ? ", bundled" : "")"
                        differences.append("seed \(seed), \(tap) on \(place): \(told) but \(asked)")
                    }
                }
            }
        }
        print("offline = server: \(pairs) taps, \(outcomes), \(downgrades) downgrades that only the service tells, \(arms)")
        #expect(differences.prefix(3) == [])
        #expect(personal.filled > 300 && personal.unfilled > 50, "\(personal)")
        #expect(pairs > 12_000 && downgrades > 4 && downgrades < pairs / 20)
        #expect(RolloutArm.allCases.allSatisfy { arms[$0, default: 0] > 2000 }, "\(arms)")
        #expect(ResolvedAction.Outcome.all.allSatisfy { outcomes[$0, default: 0] > 20 }, "\(outcomes)")
    }

    /// Taps on items as served to any version in any language. Some have a damaged or foreign tag, and some have none.
    private func randomTaps(in snapshot: AppSnapshot, _ dice: inout Dice) throws -> [QuickActionTap] {
        var taps = ["t.a", "t.b", "t.shared", "t.none", "t.static"].map { QuickActionTap(type: $0, userInfo: ["own": .integer(1)]) }
        for version in Self.versions.dropFirst() {
            let audience = try #require(Audience(["default", "member"].randomElement(using: &dice) ?? ""))
            let language = try Self.languages.randomElement(using: &dice)?.map(tag) ?? []
            let client = Client(build: try #require(AppBuild(version)), audience: audience, language: .ranges(language, refused: []))
            let candidate = snapshot.timeline(for: audience).effectiveSet(for: client.build.version)?.candidate
            let seen = candidate.map { snapshot.seen(in: Bool.random(using: &dice) ? .candidate : .control, of: $0.rollout) }
            guard let answer = ShortcutsAnswer(for: client, in: seen ?? snapshot) else { continue }
            for item in answer.effective.set.items where Int.random(in: 0..<3, using: &dice) > 0 {
                let both = ["name": "Ana", "address": "a+b@example.com"]
                let row =
                    try answer.personalJSON(of: item).map { try ServedPersonalItem($0).registered(with: both) }
                    ?? ServedItem(answer.json(of: item))
                let served = QuickActionItem(try #require(row))
                var userInfo = served.userInfo
                // An earlier template may have had fewer placeholders.
                if item.personal != nil, Bool.random(using: &dice) {
                    userInfo["longpress.values"] = .string(PersonalValues.encoded(["name": "Ana"]).string)
                }
                switch Int.random(in: 0..<14, using: &dice) {
                case 0: userInfo["longpress.action"] = .string("ffffffffffffffff")
                case 1: userInfo["longpress.revision"] = .string("\(Int.random(in: 0..<5, using: &dice))")
                case 2: userInfo["longpress.language"] = nil
                case 3: userInfo["longpress.schema"] = .integer(2)
                case 4: userInfo["longpress.item"] = .string("never")
                case 5: userInfo["longpress.version"] = .string("x")
                case 6: userInfo["longpress.schema"] = .string("01")
                case 7: userInfo["longpress.audience"] = .string("member")
                case 8: userInfo["longpress.version"] = .string("99.1+3")
                default: break
                }
                taps.append(QuickActionTap(type: served.type, userInfo: userInfo))
            }
        }
        return taps
    }

    private func randomSnapshot(_ dice: inout Dice) throws -> AppSnapshot {
        let timelines = [
            try randomTimeline(.default, first: 1, &dice), try randomTimeline(try #require(Audience("member")), first: 10, &dice),
        ]
        let items = #"{"staticItems":[{"type":"t.static","title":"S"},{"type":"t.b","title":"B"}]}"#
        let release = try ReleaseDocument(try JSON(document: Array(items.utf8))).checked(for: try #require(AppBuild("2.0+9")))
        return try snapshot(
            Bool.random(using: &dice) ? timelines : [timelines[0]], releases: Bool.random(using: &dice) ? [release] : [],
            fallbackURL: Bool.random(using: &dice) ? "x:app" : nil)
    }

    /// Sets that could be published one after the other.
    private func randomTimeline(_ audience: Audience, first: Int64, _ dice: inout Dice) throws -> Timeline {
        var sets: [PublishedSet] = []
        for (place, from) in ["1.0", "1.5", "2.0", "3.0", "4.0"].enumerated() {
            for _ in 0..<8 {
                let text = randomSet(place, &dice)
                let timeline = Timeline(audience: audience, sets: sets)
                guard let set = try? set(text), (try? timeline.requireNoReusedIDs(in: set, from: version(from))) != nil else { continue }
                sets.append(
                    PublishedSet(
                        version: try version(from), revision: first + Int64(place), publishedAt: Timestamp(milliseconds: 0), by: "ci",
                        set: set))
                break
            }
        }
        return try withRandomCandidates(Timeline(audience: audience, sets: sets), &dice)
    }

    /// Most sets get a candidate that could be published in their place. It has the languages of its set, because a bundle has no others.
    private func withRandomCandidates(_ timeline: Timeline, _ dice: inout Dice) throws -> Timeline {
        var timeline = timeline
        for (place, published) in timeline.sets.enumerated() {
            for _ in 0..<30 {
                guard let set = try? set(randomSet(place, &dice)), set.languages == published.set.languages,
                    (try? timeline.requireNoReusedIDs(in: set, from: published.version)) != nil
                else { continue }
                var changed = published
                changed.candidate = Candidate(
                    rollout: RolloutID("\(timeline.audience)\(place)"), share: try #require(RolloutShare(threshold: 5000)),
                    revision: 100 + published.revision, startedAt: Timestamp(milliseconds: 0), by: "ci", set: set)
                timeline = timeline.replacing(published.version, with: changed)
                break
            }
        }
        return timeline
    }

    /// A set as an editor writes it.
    private func randomSet(_ place: Int, _ dice: inout Dice) -> String {
        let ids = ["a", "b", "c", "d", "e", "f", "g", "h"]
        var items: [String] = []
        var retired: [String] = []
        for id in ids {
            let roll = Int.random(in: 0..<9, using: &dice)
            if roll == 5 { retired.append(#"{"id":"\#(id)"\#(Bool.random(using: &dice) ? #","url":"x:\#(id)""# : "")}"#) }
            guard roll < 5 else { continue }
            let other = ids[Int.random(in: 0..<ids.count, using: &dice)]
            let replaces = roll == 3 ? "\"\(other)\"" : ""
            let isPersonal = Int.random(in: 0..<4, using: &dice) == 0
            let name = isPersonal ? " {name}" : ""
            let more = Bool.random(using: &dice) ? #","ko":"K\#(name)","zh-Hant":"Z\#(name)""# : ""
            let query = isPersonal ? "?to={address}" : ""
            let hasURL = Bool.random(using: &dice)
            let url = hasURL ? #","url":"x:go/\#(id)\#(query)""# : ""
            let sample = hasURL ? #"{"name":"N","address":"A"}"# : #"{"name":"N"}"#
            let personal = isPersonal ? #","personal":{"source":"s","sample":\#(sample)}"# : ""
            let type = id > "f" ? "t.shared" : "t.\(id)"
            let info = Bool.random(using: &dice) ? #","userInfo":{"v":\#(place),"when":{"$date":"2026-01-31T09:00:00Z"}}"# : ""
            items.append(
                #"{"id":"\#(id)","type":"\#(type)","title":{"en":"T\#(name)"\#(more)},"enabled":\#(roll != 4),"replaces":[\#(replaces)]\#(url)\#(info)\#(personal)}"#
            )
        }
        let fallback = Bool.random(using: &dice) ? #","fallbackURL":"x:set\#(place)""# : ""
        return #"{"items":[\#(items.joined(separator: ","))],"retired":[\#(retired.joined(separator: ","))]\#(fallback)}"#
    }
}

extension ShortcutSet {
    fileprivate var languages: Set<LanguageTag> { Swift.Set(enabledItems.flatMap { $0.titles.rows.map(\.language) }) }
}

extension LongpressRequest {
    /// A tap with the member `rollout`.
    fileprivate func adding(_ choice: ChosenArm?) -> LongpressRequest {
        guard let choice, let body, let json = try? JSON(document: Array(body)) else { return self }
        return LongpressRequest(
            method: method, url: url, headers: headers, body: Data(json.adding("rollout", choice.json).encoded), limit: limit)
    }
}

extension ResolvedAction {
    /// Equal except for the source.
    fileprivate func same(as other: ResolvedAction) -> Bool {
        outcome == other.outcome && type == other.type && id == other.id && item == other.item && url == other.url
            && needsRefresh == other.needsRefresh && tapped == other.tapped && registeredBy == other.registeredBy && values == other.values
    }
}

extension ResolvedAction.Outcome {
    fileprivate static let all: [Self] = [.current, .equivalent, .changed, .replaced, .retired, .removed, .untagged, .static, .unknown]
}
