import QuickActions

/// The first taps of installations in a roll-out. Without an effect, a first tap is the candidate's with the probability of the share that
/// its installation chose by (docs/decisions/0022-rollout-statistics.md).
package struct FirstTaps: Equatable, Sendable {
    /// The first taps of both arms.
    package struct Arms: Equatable, Sendable {
        package fileprivate(set) var candidate = 0
        package fileprivate(set) var control = 0
    }

    /// A count stops here, which `Double` still represents exactly.
    package static let maxCount = 1 << 53

    /// By the share that the installations chose by.
    package private(set) var arms: [RolloutShare: Arms] = [:]
    /// The first taps of the candidate that are lost: no rule says what they do.
    package private(set) var lost = 0

    package init() {}

    /// Ignores a count below 1.
    package mutating func add(_ count: Int, of arm: RolloutArm, at share: RolloutShare, _ outcome: TapOutcome) {
        switch arm {
        case .candidate:
            Self.add(count, to: &arms[share, default: Arms()].candidate)
            if outcome == .removed || outcome == .unknown { Self.add(count, to: &lost) }
        case .control: Self.add(count, to: &arms[share, default: Arms()].control)
        }
    }

    private static func add(_ count: Int, to sum: inout Int) {
        sum += min(max(count, 0), maxCount - sum)
    }

    package var candidate: Int { total(\.candidate) }
    package var control: Int { total(\.control) }

    private func total(_ arm: KeyPath<Arms, Int>) -> Int {
        arms.values.reduce(into: 0) { Self.add($1[keyPath: arm], to: &$0) }
    }
}
