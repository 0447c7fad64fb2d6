internal import QuickActions

/// The arm that the installation chose in a roll-out, and the share that it chose by.
struct ChosenArm: Sendable, Equatable {
    /// The id of the roll-out.
    let rollout: String
    let arm: RolloutArm
    let share: RolloutShare
}

extension ChosenArm {
    /// The member `rollout` of a tap.
    var json: JSON { ["id": .string(rollout), "arm": .string(arm.rawValue)] }
}

extension CarriedBundle {
    func seen(by choice: ChosenArm?) -> CarriedBundle {
        choice.map { seen(in: $0.arm, of: $0.rollout) } ?? self
    }
}
