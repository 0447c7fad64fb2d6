import QuickActions
import Testing

@testable import Shortcuts

@Suite struct ReleaseEffectTests {
    private func statics(_ count: Int, at text: String) throws -> Release {
        let items = Array(repeating: #"{"type":"t","title":"T"}"#, count: count).joined(separator: ",")
        return try release(text, #"{"staticItems":[\#(items)]}"#)
    }

    @Test(
        arguments: [
            ("1.0", 0, []), ("1.0", 1, ["3.0.0 default"]), ("1.0", 2, ["1.0.0 default", "3.0.0 default"]),
            ("1.0", 4, ["1.0.0 default", "2.0.0 default", "3.0.0 default", "1.0.0 guest"]),
            ("0.5", 4, ["1.0.0 default", "2.0.0 default", "3.0.0 default", "1.0.0 guest"]),
            // Only clients from the release up to the next one are affected.
            ("2.5", 4, ["2.0.0 default", "3.0.0 default", "1.0.0 guest"]), ("2.5", 3, ["2.0.0 default", "3.0.0 default"]),
            ("3.0+9", 4, ["3.0.0 default", "1.0.0 guest"]), ("4.0", 0, ["3.0.0 default", "1.0.0 guest"]), ("4.0", 4, []),
        ] as [(String, Int, [String])])
    func `a release shows those sets differently of which another number of items is visible`(
        at text: String, count: Int, expected: [String]
    ) throws {
        let guest = try #require(Audience("guest"))
        let timelines = [try timeline(["1.0": "a b c", "2.0": "a b !c", "3.0": "a b c d e"]), try timeline(["1.0": "a"], audience: guest)]
        let before = [try statics(4, at: "4.0")]
        let current = try snapshot(timelines, releases: before)
        let release = try statics(count, at: text)
        let effect = ReleaseEffect(of: release.id, in: current, leaving: before.replacing([release]))
        #expect(effect.shownDifferently.map { "\($0.version) \($0.audience)" } == expected)
        // The same in reverse.
        let after = try snapshot(timelines, releases: before.replacing([release]))
        #expect(ReleaseEffect(of: release.id, in: after, leaving: before).shownDifferently == effect.shownDifferently)
    }

    @Test func `a client with a build below its version's first release has the release before`() throws {
        let current = try snapshot([try timeline(["1.0": "a", "2.0": "a b"])], releases: [try statics(0, at: "2.0+5")])
        let release = try statics(3, at: "1.5")
        let effect = ReleaseEffect(of: release.id, in: current, leaving: current.releases + [release])
        #expect(effect.shownDifferently.map(\.version) == [try version("2.0")])
    }

    @Test func `the sets of a timeline are read once`() throws {
        let sets = try timeline(["1.0": "a b", "2.0": "", "3.0": "a b", "4.0": "a b c", "5.0": "a b"]).sets
        let release = try statics(3, at: "2.5")
        let change = BudgetChange(by: release.id, from: [], to: [release])
        let reads = Reads()
        let affected = change.affected(among: CountedSets(sets: sets, reads: reads))
        #expect(affected.map(\.version.description) == ["3.0.0", "4.0.0", "5.0.0"])
        #expect(reads.count == sets.count)
    }

    @Test func `nothing is shown differently in an app that is new`() throws {
        let release = try statics(4, at: "1.0")
        #expect(ReleaseEffect(of: release.id, in: nil, leaving: [release]).json.text == #"{"shownDifferently":[],"warnings":[]}"#)
    }
}

private final class Reads {
    var count = 0
}

/// Counts how often a set is read.
private struct CountedSets: Sequence {
    let sets: [PublishedSet]
    let reads: Reads

    func makeIterator() -> some IteratorProtocol<PublishedSet> {
        sets.lazy.map { [reads] set in
            reads.count += 1
            return set
        }.makeIterator()
    }
}
