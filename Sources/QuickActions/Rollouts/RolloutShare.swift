/// The share of installations that get a roll-out's candidate, in steps of 1/10,000.
package struct RolloutShare: Hashable, Comparable, Sendable {
    /// Everyone, in 1/10,000.
    package static let whole = 10_000

    /// In 1/10,000: 0 is nobody, and 10,000 is everyone.
    package let threshold: Int

    /// Nil outside 0 to 10,000.
    package init?(threshold: Int) {
        guard (0...Self.whole).contains(threshold) else { return nil }
        self.threshold = threshold
    }

    package static func < (left: RolloutShare, right: RolloutShare) -> Bool { left.threshold < right.threshold }
}
