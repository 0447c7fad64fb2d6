import Foundation
import QuickActions
import Testing

@testable import Shortcuts

@Suite struct FirstTapsTests {
    private func share(_ threshold: Int) throws -> RolloutShare { try #require(RolloutShare(threshold: threshold)) }

    /// First taps at 50 %.
    private func taps(_ candidate: Int, _ control: Int, lost: Int = 0, at threshold: Int = 5000) throws -> FirstTaps {
        var taps = FirstTaps()
        taps.add(candidate - lost, of: .candidate, at: try share(threshold), .current)
        taps.add(lost, of: .candidate, at: try share(threshold), .unknown)
        taps.add(control, of: .control, at: try share(threshold), .removed)
        return taps
    }

    @Test func `first taps are counted by share, arm and loss`() throws {
        var taps = try taps(7, 5, lost: 2)
        taps.add(3, of: .candidate, at: try share(100), .removed)
        taps.add(4, of: .control, at: try share(100), .replaced)
        taps.add(0, of: .control, at: try share(100), .current)
        taps.add(-9, of: .candidate, at: try share(100), .current)
        #expect(taps.candidate == 10 && taps.control == 9 && taps.lost == 5)
        let (half, one) = (try share(5000), try share(100))
        #expect(taps.arms[half]?.candidate == 7 && taps.arms[one]?.control == 4)
    }

    @Test func `counts of any size do not trap`() throws {
        var taps = FirstTaps()
        for threshold in [0, 1, 5000, 9999, 10_000] {
            for count in [FirstTaps.maxCount, .max, .min, 1] {
                for arm in RolloutArm.allCases { taps.add(count, of: arm, at: try share(threshold), .removed) }
            }
        }
        #expect(taps.candidate == FirstTaps.maxCount && taps.lost == FirstTaps.maxCount)
        let (ratio, lost) = (taps.ratio, taps.lostShare)
        #expect(ratio.estimate?.isFinite == true && lost.upper == nil && lost.estimate == 1)
        for (candidate, control) in [(FirstTaps.maxCount, 0), (0, FirstTaps.maxCount), (FirstTaps.maxCount, 1)] {
            let ratio = try self.taps(candidate, control).ratio
            #expect(ratio.excludes(1) && (candidate > control ? ratio.upper == nil : ratio.lower == nil))
        }
        #expect(RolloutGuard(lost: try share(1), worse: try share(10_000))?.reason(toStop: taps) == .lost)
    }

    @Test func `without first taps nothing is known`() throws {
        let nothing = ConfidenceInterval(estimate: nil, lower: nil, upper: nil)
        #expect(FirstTaps().ratio == nothing && FirstTaps().lostShare == nothing)
        // Everyone has the same arm.
        let (everyone, nobody) = (try taps(1000, 0, at: 10_000), try taps(0, 1000, at: 0))
        #expect(everyone.ratio == nothing && nobody.ratio == nothing)
    }

    @Test func `shares of 0 and 100 percent change nothing`() throws {
        var more = try taps(600, 500)
        more.add(4000, of: .candidate, at: try share(10_000), .current)
        more.add(4000, of: .control, at: try share(0), .current)
        let fewer = try taps(600, 500)
        #expect(more.ratio == fewer.ratio && more.lostShare.upper != nil)
    }

    /// The odds at a share of 10 % are 1 to 9.
    @Test(arguments: [(5000, 600, 400, 1.5), (1000, 100, 900, 1.0), (1000, 200, 900, 2.0), (9000, 900, 200, 0.5)])
    func `the estimate is the ratio of the rates`(_ threshold: Int, _ candidate: Int, _ control: Int, _ expected: Double) throws {
        let ratio = try taps(candidate, control, at: threshold).ratio
        let (estimate, lower, upper) = (try #require(ratio.estimate), try #require(ratio.lower), try #require(ratio.upper))
        #expect(abs(estimate - expected) < 1e-9 && lower < expected && expected < upper)
        #expect(
            ratio.excludes(lower * 0.999) && !ratio.excludes(lower * 1.001) && !ratio.excludes(upper * 0.999)
                && ratio.excludes(upper * 1.001))
    }

    @Test func `exchanging the arms inverts the ratio`() throws {
        let (one, other) = (try taps(700, 500, at: 2500).ratio, try taps(500, 700, at: 7500).ratio)
        let pairs = [(one.estimate, other.estimate), (one.lower, other.upper), (one.upper, other.lower)]
        for (left, right) in pairs {
            let (left, right) = (try #require(left), try #require(right))
            #expect(abs(left * right - 1) < 1e-9)
        }
    }

    @Test func `bounds at the end of the grid are unbounded`() throws {
        let few = try taps(3, 2).ratio
        #expect(few.lower == nil || few.upper == nil || !few.excludes(1))
        let all = try taps(1000, 0).ratio
        #expect(all.estimate == nil && all.upper == nil && (all.lower ?? 0) > 10)
        let none = try taps(0, 1000).ratio
        #expect(none.estimate == nil && none.lower == nil && (none.upper ?? 1) < 0.1)
    }

    @Test func `more first taps narrow the interval`() throws {
        var width = Double.infinity
        for scale in [100, 1000, 10_000, 100_000] {
            let ratio = try taps(13 * scale, 10 * scale).ratio
            let (lower, upper) = (try #require(ratio.lower), try #require(ratio.upper))
            let next = upper / lower
            #expect(next < width)
            width = next
        }
        #expect(width < 1.1)
    }

    /// Computed by the definition, without logarithms.
    @Test func `evidence is the mean likelihood over that of the ratio`() throws {
        let (candidate, control, share) = (7, 12, 0.1)
        func likelihood(_ ratio: Double) -> Double {
            let probability = share * ratio / (share * ratio + 1 - share)
            return pow(probability, Double(candidate)) * pow(1 - probability, Double(control))
        }
        let mixture = FirstTaps.ratios.grid.map { likelihood(exp($0)) }.reduce(0, +) / Double(FirstTaps.ratios.grid.count)
        let trials = try taps(candidate, control, at: 1000).trials
        for ratio in [0.3, 1, 2.5] {
            let evidence = FirstTaps.ratios.evidence(against: log(ratio), in: trials)
            #expect(abs(evidence - log(mixture / likelihood(ratio))) < 1e-9)
            #expect(try taps(candidate, control, at: 1000).ratio.excludes(ratio) == (mixture / likelihood(ratio) > 20))
        }
    }

    @Test func `the grids are short and ascending`() {
        for grid in [FirstTaps.ratios.grid, FirstTaps.odds.grid] {
            #expect(grid.count < 60 && zip(grid, grid.dropFirst()).allSatisfy { $0 < $1 })
        }
        #expect(FirstTaps.ratios.grid.contains(0))
        // The smallest limit of a guard, 0.01 %, is inside.
        #expect(1 / (1 + exp(-FirstTaps.odds.grid[0])) < 0.0001)
    }
}
