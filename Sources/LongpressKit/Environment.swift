package import Foundation

/// The clock, sleeping and randomness; tests pass their own.
package struct ClientEnvironment: Sendable {
    package let now: @Sendable () -> Date
    package let sleep: @Sendable (Duration) async throws -> Void
    /// A number from 0 to 1.
    package let random: @Sendable () -> Double

    package init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    static let system = ClientEnvironment(
        now: { Date() }, sleep: { try await Task.sleep(for: $0) }, random: { Double.random(in: 0...1) })
}
