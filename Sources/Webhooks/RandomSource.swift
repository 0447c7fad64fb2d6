/// 64 random bits a call; tests give their own.
package typealias RandomSource = @Sendable () -> UInt64

/// The operating system's, fit for secrets.
package let systemRandom: RandomSource = {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
}

extension UInt64 {
    /// Spread over 0..<1.
    var unitInterval: Double { Double(self >> 11) * 0x1p-53 }
}
