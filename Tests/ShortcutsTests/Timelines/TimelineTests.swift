import Testing

@testable import Shortcuts

@Suite struct TimelineTests {
    @Test(
        arguments: [
            ("0.9", nil), ("0.9.999", nil), ("1.0", "1.0.0"), ("1.9", "1.0.0"), ("2", "2.0.0"), ("2.0.1", "2.0.0"), ("2.9", "2.0.0"),
            ("2.10", "2.10.0"), ("99", "2.10.0"),
        ] as [(String, String?)])
    func `a set takes effect until a later one takes over`(client: String, expected: String?) throws {
        let timeline = try timeline(["2.10": "c", "1.0": "a", "2.0": ""])
        #expect(timeline.effectiveSet(for: try version(client))?.version.description == expected)
        let range = EffectiveRange(containing: try version(client), between: timeline.sets.map(\.version).reversed())
        #expect(range == timeline.effectiveSet(for: try version(client)).map { timeline.range(from: $0.version) })
        let client = try version(client)
        #expect(range?.contains(client) ?? true)
    }

    @Test func `replacing keeps the order and each version once`() throws {
        let timeline = try timeline(["1.0": "a", "2.0": "b"])
        let new = PublishedSet(version: try version("1.5"), revision: 9, publishedAt: author.at, by: "ci", set: try sketch("c"))
        #expect(timeline.replacing(try version("1.5"), with: new).sets.map(\.revision) == [1, 9, 2])
        #expect(timeline.replacing(try version("2.0"), with: nil).sets.map(\.revision) == [1])
    }
}
