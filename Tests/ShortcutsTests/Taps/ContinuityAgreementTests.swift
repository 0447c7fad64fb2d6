import QuickActions
import Testing

@testable import Shortcuts

/// A property of random timelines: an app that resolves a tap with the continuity document gets the same result as from `POST …/taps`.
@Suite struct ContinuityAgreementTests {
    private typealias Outcome = TapOutcome

    private static let installed = ["0.5", "1.0", "1.7", "2.0", "2.5", "3.0", "4.2"]
    private static let tagged = ["0.5", "1.0", "1.5", "2.0", "3.0", "4.0", "9.0"]

    @Test func `agrees with the answers to taps`() throws {
        var pairs: [TapOrigin: Int] = [:]
        var outcomes: Set<Outcome> = []
        var disagreements: [String] = []
        for seed in UInt64(1)...40 {
            let snapshot = try randomSnapshot(seed)
            for installed in try Self.installed.map(version) {
                guard let continuity = Continuity(for: installed, .default, in: snapshot) else { continue }
                for tagged in try Self.tagged.map(build) {
                    pairs[TapOrigin(of: tagged, installed: AppBuild(installed)), default: 0] += 1
                    for (id, entry) in continuity.entries {
                        for (action, isSame) in [(entry.action, true), ("ffffffffffffffff", false)] {
                            let told = snapshot.resolve(tap(on: id, action, tagged, installed)).resolution
                            outcomes.insert(told.outcome)
                            let needsTag =
                                entry.outcome == .removed && told.outcome == .replaced
                                && hasPredecessor(id, in: snapshot, between: installed, and: tagged)
                            if entry.agrees(with: told, isSameAction: isSame) || needsTag { continue }
                            disagreements.append(
                                "seed \(seed): \(id) tagged \(tagged) on \(installed) is \(entry.outcome), a tap is told \(told.outcome)")
                        }
                    }
                }
            }
        }
        #expect(disagreements.prefix(5) == [])
        #expect(pairs.values.reduce(0, +) > 1_000)
        #expect([.past, .future, .same].allSatisfy { pairs[$0, default: 0] > 50 }, "\(pairs)")
        #expect(outcomes == [.equivalent, .changed, .replaced, .retired, .removed])
    }

    private func tap(on id: ItemID, _ action: String, _ tagged: AppBuild, _ installed: AppVersion) -> Tap {
        let userInfo = [
            JSON.Member("longpress.schema", .integer(1)), JSON.Member("longpress.item", .string(id.description)),
            JSON.Member("longpress.version", .string(tagged.description)), JSON.Member("longpress.action", .string(action)),
        ]
        return Tap(installed: AppBuild(installed), type: "t", userInfo: userInfo, audience: nil, language: .none)
    }

    /// Whether a set above the installed version has the id as a successor. Then a tag from a newer version resolves to a predecessor,
    /// which a document of ids cannot know.
    private func hasPredecessor(_ id: ItemID, in snapshot: AppSnapshot, between installed: AppVersion, and tagged: AppBuild) -> Bool {
        snapshot.timeline(for: .default).sets.contains { published in
            published.version > installed && published.version <= tagged.version
                && published.set.item(id)?.replaces.isEmpty == false
        }
    }

    /// A timeline of random sets, each valid after those before it.
    private func randomSnapshot(_ seed: UInt64) throws -> AppSnapshot {
        var dice = Dice(state: seed)
        let ids = ["a", "b", "c", "d", "e", "f", "g", "h"]
        var timeline = Timeline(audience: .default, sets: [])
        for (index, from) in ["1.0", "1.5", "2.0", "3.0", "4.0"].enumerated() {
            for _ in 0..<8 {
                let words = ids.compactMap { id -> String? in
                    switch Int.random(in: 0..<9, using: &dice) {
                    case 0, 1, 2: id
                    case 3: "\(id)<\(ids[Int.random(in: 0..<ids.count, using: &dice)])"
                    case 4: "-\(id)@x:\(id)"
                    case 5: "-\(id)"
                    case 6: "!\(id)"
                    default: nil
                    }
                }
                let fallback = Bool.random(using: &dice) ? [] : ["@x:set\(index)"]
                guard let set = try? sketch((words + fallback).joined(separator: " ")),
                    (try? timeline.requireNoReusedIDs(in: set, from: version(from))) != nil
                else { continue }
                let published = PublishedSet(
                    version: try version(from), revision: Int64(index + 1), publishedAt: Timestamp(milliseconds: 0), by: "ci", set: set)
                timeline = Timeline(audience: .default, sets: timeline.sets + [published])
                break
            }
        }
        return try snapshot([timeline], app: try app(fallbackURL: "x:app"))
    }
}

extension Continuity.Entry {
    fileprivate var action: String { item?.actionHash ?? "0000000000000000" }

    /// For an item of the effective set, the app distinguishes `equivalent` from `changed` by the document's action hash.
    fileprivate func agrees(with told: TapResolution, isSameAction: Bool) -> Bool {
        let expected = outcome == .current ? (isSameAction ? .equivalent : .changed) : outcome
        return told.outcome == expected && told.item == item && told.url == url
    }
}

/// A linear congruential generator with a multiplier of Steele and Vigna's: the same seed gives the same run.
private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 0xD134_2543_DE82_EF95 &+ 1
        return state ^ (state >> 32)
    }
}
