package import Foundation

/// The clock, sleeping and randomness; tests pass their own.
package struct ClientEnvironment: Sendable {
    package let now: @Sendable () -> Date
    /// The monotonic clock, which continues while the device sleeps.
    package let instant: @Sendable () -> ContinuousClock.Instant
    package let sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 to 1.
    package let random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Date, instant: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.instant = instant
        self.sleep = sleep
        self.random = random
    }

    static let system = ClientEnvironment(
        now: { Date() }, instant: { .now }, sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0...1) })
}
