import Foundation
import QuickActions
import Testing

@testable import Shortcuts

/// What docs/decisions/0022-rollout-statistics.md promises about looks after each of 5,000 first taps. The code of the product computes all
/// looks of all roll-outs at one share once: which counts exclude a ratio. The probability of such counts follows exactly. In a ramp, there
/// are too many counts. There, roll-outs are simulated with fixed seeds: their likelihoods are updated with each tap, and compared with the
/// code of the product at some looks and at each exclusion.
@Suite struct RolloutSimulationTests {
    private static let looks = 5000

    private static func taps(_ candidate: Int, _ control: Int, at share: RolloutShare, lost: Int = 0) -> FirstTaps {
        var taps = FirstTaps()
        taps.add(candidate - lost, of: .candidate, at: share, .current)
        taps.add(lost, of: .candidate, at: share, .removed)
        taps.add(control, of: .control, at: share, .current)
        return taps
    }

    private static func boundaries(against ratio: Double, at share: RolloutShare) -> Boundaries {
        Boundaries(looks) { candidate, control in
            FirstTaps.ratios.evidence(against: log(ratio), in: taps(candidate, control, at: share).trials)
        }
    }

    @Test(arguments: [(100, 1.0), (1000, 1), (5000, 1), (9999, 1), (100, 3), (1000, 1.2), (5000, 1.2), (5000, 0.5)])
    func `the true ratio is rarely excluded at one share`(_ threshold: Int, _ ratio: Double) throws {
        let share = try #require(RolloutShare(threshold: threshold))
        let boundaries = Self.boundaries(against: ratio, at: share)
        for look in stride(from: 1, through: Self.looks, by: 97) {
            let (least, most) = (boundaries.least[look], boundaries.most[look])
            for successes in Set([0, least - 1, least, most, most + 1, look]) where (0...look).contains(successes) {
                let interval = Self.taps(successes, look - successes, at: share).ratio
                #expect(interval.excludes(ratio) == !(least...most).contains(successes))
            }
        }
        let odds = Double(threshold) / Double(10_000 - threshold) * ratio
        let excluded = boundaries.exclusion(odds / (1 + odds))
        print("ratio \(ratio) at \(threshold): excluded with a probability of \(excluded.below) + \(excluded.above)")
        #expect(excluded.below + excluded.above <= 0.05)
    }

    @Test func `a ratio of 1_2 is found`() throws {
        let boundaries = Self.boundaries(against: 1, at: try #require(RolloutShare(threshold: 5000)))
        let found = boundaries.exclusion(1.2 / 2.2)
        print("ratio 1.2 at 5000: found with a probability of \(found.above), with 0.5 after \(found.median ?? 0) first taps")
        #expect(found.above >= 0.9 && found.below < 0.01)
    }

    @Test(arguments: [(1.0, 1.0), (5.0, 5.0), (1.0, 3.0)])
    func `a guard stops for lost taps that are not chance`(_ percent: Double, _ trueLost: Double) throws {
        let whole = try #require(RolloutShare(threshold: 10_000))
        let rule = try #require(RolloutGuard(lost: RolloutShare(percent: .real(percent)), worse: nil))
        let boundaries = Boundaries(Self.looks) { lost, kept in
            FirstTaps.odds.evidence(
                against: log(percent / (100 - percent)), in: [ConfidenceSequence.Trials(logOdds: 0, successes: lost, failures: kept)])
        }
        for look in stride(from: RolloutGuard.minFirstTaps, through: Self.looks, by: 97) {
            let most = boundaries.most[look]
            #expect(rule.reason(toStop: Self.taps(look, 0, at: whole, lost: most)) == nil)
            #expect(rule.reason(toStop: Self.taps(look, 0, at: whole, lost: most + 1)) == .lost)
        }
        let stops = boundaries.exclusion(trueLost / 100)
        print("guard \(percent) %, \(trueLost) % lost: stops with a probability of \(stops.above), with 0.5 after \(stops.median ?? 0)")
        #expect(percent == trueLost ? stops.above <= 0.05 : stops.above >= 0.95)
    }

    /// 10,000 roll-outs.
    @Test(arguments: RolloutWorld.ramps.indices)
    func `no effect is rarely excluded in a ramp`(_ ramp: Int) throws {
        var dice = RolloutDice(seed: UInt64(ramp) + 1)
        var (excluded, compared) = (0, 0)
        let (worlds, rollouts) = (20, 10_000 / 20 / RolloutWorld.ramps.count)
        for _ in 0..<worlds {
            let world = RolloutWorld(RolloutWorld.ramps[ramp], firstTaps: Self.looks, &dice)
            try #require(world.taps.count == Self.looks)
            var looks = RampLooks(world)
            for rollout in 0..<rollouts {
                if let look = looks.exclusion(&dice) {
                    excluded += 1
                    #expect(looks.counts(at: look).ratio.excludes(1) && !looks.counts(at: look - 1).ratio.excludes(1))
                } else if rollout < 3 {
                    for look in [1, 2, 5, 10, 50, 200, 1000, 3000, 5000] {
                        let evidence = FirstTaps.ratios.evidence(against: 0, in: looks.counts(at: look).trials)
                        #expect(abs(evidence - log(looks.mixtures[look])) < 1e-9)
                        compared += 1
                    }
                }
            }
        }
        print("ramp \(ramp): excluded in \(excluded) of \(worlds * rollouts) roll-outs, \(compared) looks compared")
        #expect(excluded * 20 <= worlds * rollouts && compared > 400)
    }

    /// Why an installation counts once: with every tap of heavy users, an arm is better by chance.
    @Test func `every tap instead of the first would mislead`() throws {
        let share = try #require(RolloutShare(threshold: 5000))
        let boundaries = Self.boundaries(against: 1, at: share)
        var dice = RolloutDice(seed: 77)
        let rates = (0..<1000).map { _ in exp(1.7 * dice.normal()) }
        let sums = rates.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + $1) }
        let users = (0..<Self.looks).map { _ in
            let value = dice.uniform() * (sums.last ?? 0)
            var (low, high) = (0, rates.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if sums[middle] <= value { low = middle } else { high = middle }
            }
            return low
        }
        func misled(countingAll: Bool) -> Int {
            (0..<300).count { _ in
                let arms = rates.map { _ in Int(dice.next() % 2) }
                var seen = Array(repeating: false, count: rates.count)
                var (look, candidate) = (0, 0)
                for user in users where countingAll || !seen[user] {
                    seen[user] = true
                    look += 1
                    candidate += arms[user]
                    if candidate < boundaries.least[look] || candidate > boundaries.most[look] { return true }
                }
                return false
            }
        }
        let (all, first) = (misled(countingAll: true), misled(countingAll: false))
        print("no effect, heavy users: excluded in \(all) of 300 roll-outs by all taps, in \(first) by first taps")
        #expect(all > 150 && first <= 15)
    }
}

/// For each number of trials, the successes that do not exclude a value.
private struct Boundaries {
    private(set) var (least, most) = ([0], [0])

    /// - Parameter evidence: the evidence against the value for counts of successes and failures. It is convex in the successes, so those
    ///   that do not exclude are a range.
    init(_ looks: Int, _ evidence: (Int, Int) -> Double) {
        let limit = log(ConfidenceSequence.evidence)
        var (low, high) = (0, 0)
        for look in 1...looks {
            func excludes(_ successes: Int) -> Bool { evidence(successes, look - successes) > limit }
            high += 1
            while low < look, excludes(low) { low += 1 }
            while low > 0, !excludes(low - 1) { low -= 1 }
            while high > low, excludes(high) { high -= 1 }
            while high < look, !excludes(high + 1) { high += 1 }
            least.append(low)
            most.append(high)
        }
    }

    /// The probability that some look has too few successes, that one has too many before that, and the look by which half of the
    /// roll-outs had one of both.
    /// - Parameter probability: of a success.
    func exclusion(_ probability: Double) -> (below: Double, above: Double, median: Int?) {
        var (below, above, median) = (0.0, 0.0, Int?.none)
        // The probability of each number of successes without an exclusion before.
        var weights = Array(repeating: 0.0, count: least.count + 1)
        weights[0] = 1
        var (low, high) = (0, 0)
        for look in least.indices.dropFirst() {
            high += 1
            for successes in stride(from: high, through: max(low, 1), by: -1) {
                weights[successes] = weights[successes] * (1 - probability) + weights[successes - 1] * probability
            }
            if low == 0 { weights[0] *= 1 - probability }
            while low < least[look] {
                below += weights[low]
                weights[low] = 0
                low += 1
            }
            while high > most[look] {
                above += weights[high]
                weights[high] = 0
                high -= 1
            }
            if median == nil, below + above >= 0.5 { median = look }
        }
        return (below, above, median)
    }
}

/// Looks at a roll-out without an effect after each first tap of a world.
private struct RampLooks {
    private let world: RolloutWorld
    private let thresholds: [UInt64]
    /// For each share and arm, the likelihood of a first tap at each ratio of the grid, divided by that at a ratio of 1.
    private let factors: [Double]
    private var likelihoods: [Double]
    /// Whether each first tap is the candidate's.
    private var arms: [Bool]
    /// The mixture's likelihood divided by that of a ratio of 1, after each number of first taps up to the exclusion.
    private(set) var mixtures: [Double]

    init(_ world: RolloutWorld) {
        self.world = world
        thresholds = world.shares.map(UInt64.init)
        let grid = FirstTaps.ratios.grid
        factors = world.shares.flatMap { share in
            let logOdds = log(Double(share) / Double(10_000 - share))
            return [(0, 1), (1, 0)].flatMap { successes, failures in
                // A share of 100 % says nothing.
                guard share < 10_000 else { return grid.map { _ in 1.0 } }
                let tap = [ConfidenceSequence.Trials(logOdds: logOdds, successes: successes, failures: failures)]
                return grid.map { exp(ConfidenceSequence.logLikelihood($0, tap) - ConfidenceSequence.logLikelihood(0, tap)) }
            }
        }
        likelihoods = grid.map { _ in 1 }
        arms = world.taps.map { _ in false }
        mixtures = Array(repeating: 0, count: world.taps.count + 1)
    }

    /// The first look that excludes a ratio of 1, in a roll-out whose buckets are the dice's.
    mutating func exclusion(_ dice: inout RolloutDice) -> Int? {
        let size = likelihoods.count
        for index in 0..<size { likelihoods[index] = 1 }
        let limit = ConfidenceSequence.evidence * Double(size)
        let (taps, thresholds, factors) = (world.taps, thresholds, factors)
        // Pointers, which a debug build does not check, because this loop runs a billion times.
        return likelihoods.withUnsafeMutableBufferPointer { likelihoods in
            factors.withUnsafeBufferPointer { factors in
                guard let likelihoods = likelihoods.baseAddress, let factors = factors.baseAddress else { return nil }
                var look = 0
                while look < taps.count {
                    let share = taps[look]
                    let isCandidate = dice.next() % 10_000 < thresholds[share]
                    arms[look] = isCandidate
                    look &+= 1
                    let tap = factors + (share &* 2 &+ (isCandidate ? 1 : 0)) &* size
                    var (index, sum) = (0, 0.0)
                    while index < size {
                        let likelihood = likelihoods[index] * tap[index]
                        likelihoods[index] = likelihood
                        sum += likelihood
                        index &+= 1
                    }
                    mixtures[look] = sum / Double(size)
                    if sum > limit { return look }
                }
                return nil
            }
        }
    }

    /// The counts of the roll-out after a number of first taps.
    func counts(at look: Int) -> FirstTaps {
        var taps = FirstTaps()
        for index in 0..<look {
            guard let share = RolloutShare(threshold: world.shares[world.taps[index]]) else { continue }
            taps.add(1, of: arms[index] ? .candidate : .control, at: share, .current)
        }
        return taps
    }
}
