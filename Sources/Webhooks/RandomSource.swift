/// Returns 64 random bits per call; tests pass their own.
package typealias RandomSource = @Sendable () -> UInt64

/// The operating system's cryptographic generator, suitable for secrets.
package let systemRandom: RandomSource = {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
}

extension UInt64 {
    /// The upper 53 bits, uniform in 0..<1.
    var unitInterval: Double { Double(self >> 11) * 0x1p-53 }
}
