import Foundation

/// What counts say about an unknown value.
package struct ConfidenceInterval: Equatable, Sendable {
    /// The most likely value. Nil if there is none, because nothing was counted or only one of two kinds.
    package let estimate: Double?
    /// Nil if the counts exclude no small value.
    package let lower: Double?
    /// Nil if the counts exclude no large value.
    package let upper: Double?

    package func excludes(_ value: Double) -> Bool {
        if let lower, value < lower { return true }
        if let upper, value > upper { return true }
        return false
    }
}

/// A confidence sequence for a factor on the odds of success, from independent trials: its intervals all contain the true factor with a
/// probability of at least 95 %, however often somebody looks. Likelihoods are mixed over a grid of factors; a factor whose likelihood is
/// below 1/20 of the mixture is excluded (docs/decisions/0022-rollout-statistics.md).
struct ConfidenceSequence: Sendable {
    /// Trials that would succeed with the probability 1/(1 + exp(-logOdds)) if the factor were 1. The log odds are finite: trials that
    /// always or never succeed say nothing.
    struct Trials {
        let logOdds: Double
        let successes: Int
        let failures: Int
    }

    /// The reciprocal of the probability that the factor is ever excluded.
    static let evidence = 20.0

    /// Logarithms of factors, ascending. Bounds beyond the grid are not reported.
    let grid: [Double]

    /// The logarithm of the mixture's likelihood divided by that of a factor.
    /// - Parameter factor: its logarithm.
    func evidence(against factor: Double, in trials: [Trials]) -> Double {
        mixture(grid.map { Self.logLikelihood($0, trials) }) - Self.logLikelihood(factor, trials)
    }

    func interval(for trials: [Trials]) -> ConfidenceInterval {
        guard let first = grid.first, let last = grid.last, trials.contains(where: { $0.successes > 0 || $0.failures > 0 }) else {
            return ConfidenceInterval(estimate: nil, lower: nil, upper: nil)
        }
        let likelihoods = grid.map { Self.logLikelihood($0, trials) }
        let limit = mixture(likelihoods) - log(Self.evidence)
        // The likelihood has one maximum, so the factors that are not excluded are an interval. The mixture is a mean, so the best point of
        // the grid is in it.
        let included = grid.indices.filter { likelihoods[$0] >= limit }
        guard let low = included.first, let high = included.last else { return ConfidenceInterval(estimate: nil, lower: nil, upper: nil) }
        let isIncluded = { Self.logLikelihood($0, trials) >= limit }
        return ConfidenceInterval(
            estimate: Self.slope(first, trials) > 0 && Self.slope(last, trials) < 0
                ? exp(Self.boundary(first, last) { Self.slope($0, trials) < 0 }) : nil,
            lower: low == grid.startIndex ? nil : exp(Self.boundary(grid[low - 1], grid[low], isIncluded)),
            upper: high == grid.endIndex - 1 ? nil : exp(Self.boundary(grid[high], grid[high + 1]) { !isIncluded($0) }))
    }

    /// The logarithm of the mean likelihood.
    private func mixture(_ logLikelihoods: [Double]) -> Double {
        let most = logLikelihoods.max() ?? 0
        return most + log(logLikelihoods.reduce(0) { $0 + exp($1 - most) } / Double(logLikelihoods.count))
    }

    static func logLikelihood(_ factor: Double, _ trials: [Trials]) -> Double {
        trials.reduce(0) { sum, trials in
            let logOdds = trials.logOdds + factor
            return sum - Double(trials.successes) * log1p(exp(-logOdds)) - Double(trials.failures) * log1p(exp(logOdds))
        }
    }

    /// The derivative of the log-likelihood.
    private static func slope(_ factor: Double, _ trials: [Trials]) -> Double {
        trials.reduce(0) { sum, trials in
            let probability = 1 / (1 + exp(-trials.logOdds - factor))
            return sum + Double(trials.successes) * (1 - probability) - Double(trials.failures) * probability
        }
    }

    /// Where a condition begins to hold, by bisection.
    private static func boundary(_ first: Double, _ last: Double, _ holds: (Double) -> Bool) -> Double {
        var (low, high) = (first, last)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle }
        }
        return (low + high) / 2
    }
}
