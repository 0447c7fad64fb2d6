import Foundation
import QuickActions

/// Installations, when they fetch, and when they first tap. It does not depend on the arms: a roll-out without an effect in this world
/// differs from another only in its id, which decides the buckets.
struct RolloutWorld {
    /// A share, and the day from which it applies.
    typealias Ramp = [(day: Double, share: Int)]

    static let ramps: [Ramp] = [
        [(0, 100), (1, 500), (2, 1000), (4, 2500), (6, 5000), (9, 9900)],
        [(0, 1000), (5, 5000)],
        [(0, 1), (0.5, 5000), (3, 9999)],
        // Lowered, then raised.
        [(0, 5000), (1, 1000), (3, 2000), (6, 8000)],
        [(0, 2500), (10, 7500), (11, 10_000)],
    ]

    /// The shares of the ramp, each once.
    let shares: [Int]
    /// For each first tap in the order of their times, the index of the share that its installation chose by.
    let taps: [Int]

    init(_ ramp: Ramp, firstTaps count: Int, _ dice: inout RolloutDice) {
        let shares = Set(ramp.map(\.share)).sorted()
        var found: [(time: Double, share: Int)] = []
        for _ in 0..<count * 3 / 2 {
            // Heavy users tap a thousand times as often as others.
            let mean = 3 * exp(1.7 * dice.normal())
            // One in five installations fetches late and seldom.
            let interval = dice.uniform() < 0.2 ? 8.0 : 0.5
            var fetch = dice.exponential(mean: interval)
            let tap = fetch + dice.exponential(mean: mean)
            var next = fetch + dice.exponential(mean: interval)
            while next < tap && fetch < 12 {
                fetch = next
                next += dice.exponential(mean: interval)
            }
            let share = ramp.last { $0.day <= fetch }?.share ?? 0
            found.append((tap, shares.firstIndex(of: share) ?? 0))
        }
        self.shares = shares
        taps = found.sorted { $0.time < $1.time }.prefix(count).map(\.share)
    }
}
