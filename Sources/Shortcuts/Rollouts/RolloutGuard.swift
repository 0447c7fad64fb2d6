import QuickActions

/// When a roll-out stops without a person.
package struct RolloutGuard: Hashable, Sendable {
    /// A guard does not act on fewer first taps.
    package static let minFirstTaps = 100

    /// Stops if more than this share of the candidate's first taps is lost.
    package let lost: RolloutShare?
    /// Stops if the candidate's rate of first taps is below this share of the control's.
    package let worse: RolloutShare?

    /// Nil without a limit, and if a limit is 0 %.
    package init?(lost: RolloutShare?, worse: RolloutShare?) {
        guard lost != nil || worse != nil, lost?.threshold != 0, worse?.threshold != 0 else { return nil }
        (self.lost, self.worse) = (lost, worse)
    }

    /// The limits in percent.
    package var json: JSON { ["lost": lost?.percent, "worse": worse?.percent] }

    /// Why the roll-out must stop, if it must. Nil while the counts may be chance.
    package func reason(toStop taps: FirstTaps) -> RolloutEnd? {
        guard taps.candidate + taps.control >= Self.minFirstTaps else { return nil }
        if let lost, let lower = taps.lostShare.lower, lower > lost.fraction { return .lost }
        if let worse, let upper = taps.ratio.upper, upper < worse.fraction { return .worse }
        return nil
    }
}

extension RolloutShare {
    fileprivate var fraction: Double { Double(threshold) / Double(Self.whole) }
}
