import Foundation

/// SplitMix64 (Steele, Lea, Flood 2014): a few operations for each number, because simulations in debug builds draw millions.
struct RolloutDice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    /// Above 0, below 1.
    mutating func uniform() -> Double { (Double(next() &>> 11) + 0.5) / 9_007_199_254_740_992 }

    mutating func exponential(mean: Double) -> Double { -mean * log(uniform()) }

    /// The standard normal distribution, by Box and Muller.
    mutating func normal() -> Double { sqrt(-2 * log(uniform())) * cos(2 * .pi * uniform()) }
}
