import QuickActions

/// The arm of an installation in a roll-out, as it reports it with a tap.
package struct RolloutChoice: Hashable, Sendable {
    package let rollout: RolloutID
    package let arm: RolloutArm
    /// The share that the installation chose by, for its first tap in the roll-out; nil for its other taps.
    package let share: RolloutShare?

    package init(rollout: RolloutID, arm: RolloutArm, share: RolloutShare? = nil) {
        (self.rollout, self.arm, self.share) = (rollout, arm, share)
    }
}

extension RolloutShare {
    /// Whether an installation that chooses by this share can get the arm.
    fileprivate func leads(to arm: RolloutArm) -> Bool {
        switch arm {
        case .candidate: threshold > 0
        case .control: threshold < Self.whole
        }
    }
}

/// The taps of one kind in one hour of a roll-out.
package struct RolloutTaps: Hashable, Sendable {
    package let choice: RolloutChoice
    /// The first millisecond of the hour.
    package let hour: Timestamp
    /// Nil if neither arm has the item.
    package let item: ItemID?
    package let outcome: TapOutcome

    package init(choice: RolloutChoice, hour: Timestamp, item: ItemID?, outcome: TapOutcome) {
        (self.choice, self.hour, self.item, self.outcome) = (choice, hour, item, outcome)
    }

    /// Nil unless the roll-out runs. A tap is a first tap only if the roll-out had its share, and if installations with this share can get
    /// the arm. Other shares are ignored, so that clients cannot make many kinds.
    /// - Parameter running: the sets with candidates, by their roll-outs.
    package init?(_ taps: HourlyTaps, in running: [RolloutID: PublishedSet]) {
        let kind = taps.kind
        guard let choice = kind.choice, let set = running[choice.rollout], let candidate = set.candidate else { return nil }
        let share = choice.share.flatMap { candidate.shares.contains($0) && $0.leads(to: choice.arm) ? $0 : nil }
        let item = kind.item.flatMap { set.set.item($0) == nil && candidate.set.item($0) == nil ? nil : $0 }
        self.init(
            choice: RolloutChoice(rollout: choice.rollout, arm: choice.arm, share: share), hour: taps.hour, item: item,
            outcome: kind.outcome)
    }
}

extension AppSnapshot {
    /// The sets that have candidates, by their roll-outs.
    package var runningRollouts: [RolloutID: PublishedSet] {
        let sets = timelines.values.flatMap { $0.sets.compactMap { set in set.candidate.map { ($0.rollout, set) } } }
        return Dictionary(sets) { first, _ in first }
    }
}
