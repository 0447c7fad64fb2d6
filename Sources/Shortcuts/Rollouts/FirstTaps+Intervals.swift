import Foundation
import QuickActions

extension FirstTaps {
    /// The rate of first taps with the candidate, divided by that with the control. First taps at a share of 0 or 100 % say nothing about
    /// it.
    package var ratio: ConfidenceInterval { Self.ratios.interval(for: trials) }

    /// The proportion of the candidate's first taps that is lost.
    package var lostShare: ConfidenceInterval {
        let trials = ConfidenceSequence.Trials(logOdds: 0, successes: lost, failures: candidate - lost)
        let odds = Self.odds.interval(for: [trials])
        let proportion = { (odds: Double) in odds / (1 + odds) }
        return ConfidenceInterval(
            estimate: candidate > 0 ? Double(lost) / Double(candidate) : nil, lower: odds.lower.map(proportion),
            upper: odds.upper.map(proportion))
    }

    var trials: [ConfidenceSequence.Trials] {
        // Sorted, because the order of a sum changes its last bits: every node must compute the same result.
        arms.sorted { $0.key < $1.key }.filter { $0.key.threshold > 0 && $0.key.threshold < RolloutShare.whole }.map { share, arms in
            ConfidenceSequence.Trials(
                logOdds: log(Double(share.threshold) / Double(RolloutShare.whole - share.threshold)), successes: arms.candidate,
                failures: arms.control)
        }
    }

    /// Ratios from 1/1200 to 1200, closer together near 1: a small effect needs a fine grid, a large one does not.
    static let ratios: ConfidenceSequence = {
        let distances = (0...25).map { 0.01 * pow(1.3, Double($0)) }
        return ConfidenceSequence(grid: distances.reversed().map { -$0 } + [0] + distances)
    }()

    /// Proportions from 0.01 % to 95 %.
    static let odds = ConfidenceSequence(grid: (-37...12).map { Double($0) / 4 })
}
