import Testing

@testable import QuickActions

@Suite struct RolloutTests {
    private static let rollout = "r4cX9hV2mQpZs8LwTn3KbYdEf7G"

    private static func units(_ count: Int) -> [String] { (0..<count).map { "installation-\($0)" } }

    @Test(arguments: [
        ("0", 0), ("100", 10_000), ("10", 1000), ("10.0", 1000), ("1e1", 1000), ("0.01", 1), ("33.33", 3333), ("99.99", 9999), ("-0.0", 0),
    ])
    func `a percentage is a threshold`(_ text: String, _ threshold: Int) throws {
        #expect(RolloutShare(percent: try read(text))?.threshold == threshold)
    }

    @Test(arguments: [
        "100.001", "-1", "-0.01", "101", "100.01", "0.001", "1e-9", "33.333", "1e300", "1e999", "99999999999999999999", #""10""#, "true",
        "null",
    ])
    func `what is not a percentage of at most two decimals is rejected`(_ text: String) throws {
        #expect(RolloutShare(percent: try read(text)) == nil)
    }

    @Test func `every threshold is read as it is written`() throws {
        for threshold in 0...10_000 {
            let share = try #require(RolloutShare(threshold: threshold))
            #expect(RolloutShare(percent: try read(share.percent.text)) == share)
        }
        #expect(RolloutShare(threshold: -1) == nil && RolloutShare(threshold: 10_001) == nil)
        #expect(RolloutShare(threshold: 1250)?.percent.text == "12.5" && RolloutShare(threshold: 1000)?.percent.text == "10")
    }

    /// Also in docs/rollouts.md, whose vectors are compared with other languages.
    @Test(arguments: [
        ("0123456789abcdef0123456789abcdef", 8623),
        ("user-1", 7647),
        ("User-1", 5424),
        ("mina@example.com", 2414),
        ("김민아", 631),
        ("Zoë", 4355),
        ("🙂", 4752),
        ("user-30713", 0),
        ("user-745", 9999),
    ])
    func `the number of a unit is known`(_ unit: String, _ number: Int) throws {
        #expect(RolloutArm.bucket(of: unit, in: Self.rollout) == number)
        let (below, above) = (try #require(RolloutShare(threshold: number)), try #require(RolloutShare(threshold: number + 1)))
        #expect(RolloutArm(of: unit, in: Self.rollout, share: below) == .control)
        #expect(RolloutArm(of: unit, in: Self.rollout, share: above) == .candidate)
    }

    /// A test of the snippets does this with 1,000,000 units.
    @Test func `units get the candidate by the share`() {
        let units = Self.units(10_000)
        let buckets = units.map { RolloutArm.bucket(of: $0, in: Self.rollout) }
        for threshold in [100, 1000, 5000, 9999] {
            let (count, share) = (Double(units.count), Double(threshold) / 10_000)
            let found = Double(buckets.count { $0 < threshold })
            #expect(abs(found - count * share) <= 4 * (count * share * (1 - share)).squareRoot())
        }
    }

    @Test func `two roll-outs choose independently`() {
        let units = Self.units(5_000)
        var found = Array(repeating: Array(repeating: 0.0, count: 10), count: 10)
        for unit in units {
            found[RolloutArm.bucket(of: unit, in: Self.rollout) / 1000][RolloutArm.bucket(of: unit, in: "another") / 1000] += 1
        }
        let rows = found.map { $0.reduce(0, +) }
        let columns = (0..<10).map { column in found.reduce(0) { $0 + $1[column] } }
        var chiSquared = 0.0
        for row in 0..<10 {
            for column in 0..<10 {
                let expected = rows[row] * columns[column] / Double(units.count)
                chiSquared += (found[row][column] - expected) * (found[row][column] - expected) / expected
            }
        }
        // 81 degrees of freedom, 4 standard deviations.
        #expect(abs(chiSquared - 81) < 4 * (2 * 81.0).squareRoot())
    }
}
