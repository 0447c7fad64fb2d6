import Testing

@testable import Shortcuts

@Suite struct ContinuityTests {
    @Test func `tells what became of every id`() throws {
        let timeline = try timeline(["1.0": "a b c d", "2.0": "e<a b -c@x:y", "3.0": "f<e !b @x:home"])
        let continuity = try #require(Continuity(for: try version("3.1"), .default, in: try snapshot([timeline])))
        let told = continuity.fates.map {
            "\($0.id) \($0.fate.outcome) \($0.fate.item?.id.description ?? "-") \($0.fate.url?.description ?? "-")"
        }
        #expect(
            told == [
                "a replaced f -", "b current b -", "c retired - x:y", "d removed - x:home", "e replaced f -", "f current f -",
            ])
        let item = try #require(continuity.effective.set.item(try id("f")))
        #expect(continuity.json["ids"]?["a"]?["action"]?.text == "\"\(VersionTag.actionHash(of: item))\"")
        #expect(continuity.json["ids"]?["c"]?["action"]?.text == "null")
    }

    @Test func `knows nothing of later versions, and nothing below every set`() throws {
        let snapshot = try snapshot([try timeline(["1.0": "a", "2.0": "b<a"])])
        #expect(Continuity(for: try version("1.9"), .default, in: snapshot)?.fates.map(\.id.description) == ["a"])
        #expect(Continuity(for: try version("0.9"), .default, in: snapshot) == nil)
    }

    /// For every id of random timelines, every installed version and tags of versions below and above it.
    @Test func `agrees with what a tap is told`() throws {
        var dice = SystemRandomNumberGenerator()
        var pairs = 0
        for _ in 0..<60 {
            let snapshot = try randomSnapshot(&dice)
            for installed in ["1.0", "2.0", "2.5", "3.0", "4.7"].compactMap({ AppVersion($0) }) {
                guard let continuity = Continuity(for: installed, .default, in: snapshot) else { continue }
                for (id, fate) in continuity.fates {
                    for tagged in ["1.0", "2.0", "3.0", "4.0", "9.0"].compactMap({ AppVersion($0) }) {
                        pairs += 1
                        expectAgreement(of: fate, id, tagged, installed, snapshot)
                    }
                }
            }
        }
        #expect(pairs > 1_000)
    }

    private func expectAgreement(
        of fate: Continuity.Fate, _ id: ItemID, _ tagged: AppVersion, _ installed: AppVersion, _ snapshot: AppSnapshot
    ) {
        let userInfo = [
            JSON.Member("longpress.schema", .integer(1)), JSON.Member("longpress.item", .string(id.description)),
            JSON.Member("longpress.version", .string(tagged.description)),
            JSON.Member("longpress.action", .optional(fate.item.map(VersionTag.actionHash))),
        ]
        let tap = Tap(installed: AppBuild(installed), type: "t", userInfo: userInfo, audience: nil, language: .none)
        let told = snapshot.resolve(tap).resolution
        // A tag of a later version may lead back where the way up ends in nothing.
        if fate.outcome == .removed, told.origin == .future, told.outcome == .replaced { return }
        let outcome: TapResolution.Outcome = told.outcome == .equivalent ? .current : told.outcome
        #expect(outcome == fate.outcome, "\(id) tagged \(tagged) on \(installed)")
        #expect(told.item?.id == fate.item?.id && told.url == fate.url, "\(id) tagged \(tagged) on \(installed)")
    }

    private func randomSnapshot(_ dice: inout some RandomNumberGenerator) throws -> AppSnapshot {
        let ids = ["a", "b", "c", "d", "e", "f"]
        var sets: [PublishedSet] = []
        for (index, from) in ["1.0", "2.0", "3.0", "4.0"].enumerated() where index == 0 || Bool.random(using: &dice) {
            let words = ids.compactMap { id -> String? in
                switch Int.random(in: 0..<6, using: &dice) {
                case 0, 1: id
                case 2: "\(id)<\(ids.randomElement(using: &dice) ?? "x")"
                case 3: "-\(id)@x:\(id)"
                case 4: "!\(id)"
                default: nil
                }
            }
            // What the rules about ids refuse is no set.
            guard let set = try? sketch(words.joined(separator: " ")) else { continue }
            sets.append(
                PublishedSet(
                    version: try version(from), revision: Int64(index + 1), publishedAt: Timestamp(milliseconds: 0), by: "ci", set: set))
        }
        return try snapshot([Timeline(audience: .default, sets: sets)], app: try app(fallbackURL: "x:app"))
    }
}
