/// One of the two menus of a roll-out (docs/rollouts.md).
package enum RolloutArm: String, Sendable, CaseIterable {
    case candidate, control

    /// The arm of a unit. A unit that gets the candidate also gets it at every higher share.
    /// - Parameters:
    ///   - unit: an installation id or a user id. Only equal UTF-8 is the same unit: `e` with a combining accent is not `é`.
    ///   - rollout: the id of the roll-out.
    package init(of unit: String, in rollout: String, share: RolloutShare) {
        self = Self.bucket(of: unit, in: rollout) < share.threshold ? .candidate : .control
    }

    /// From 0 to 9,999: the first 8 bytes of SHA-256(rollout + "." + unit), big-endian, modulo 10,000.
    package static func bucket(of unit: String, in rollout: String) -> Int {
        let digest = SHA256.hash(rollout.utf8 + [UInt8(ascii: ".")] + unit.utf8)
        return Int(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(RolloutShare.whole))
    }
}
