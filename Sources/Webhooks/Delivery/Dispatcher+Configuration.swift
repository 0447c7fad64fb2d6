import Shortcuts

extension Dispatcher {
    package struct Configuration: Sendable {
        package var schedule = RetrySchedule.standard
        /// The time limit of a whole attempt, from the name look-up to the last byte.
        package var timeout = Duration.seconds(15)
        /// The time limit of the name look-up and the connection with its TLS handshake.
        package var connectTimeout = Duration.seconds(5)
        package var addressGuard = AddressGuard()
        package var httpsOnly = false
        /// An endpoint is disabled after this time without a success since its first failure.
        package var disableAfter = Duration.seconds(120 * 3600)
        /// The limit of concurrent attempts to one endpoint.
        package var inFlightPerEndpoint = 8
        /// The limit of concurrent attempts. Each takes a file descriptor.
        package var inFlight = 512
        /// The limit of concurrent name look-ups. Each takes a thread.
        package var lookups = 32
        /// Certificate authorities (PEM) that are trusted in addition to the system's.
        package var authorities: [UInt8]?
        /// Follows `Longpress/` in `User-Agent`.
        package var version: String

        package init(version: String) {
            self.version = version
        }
    }
}

/// One attempt, for the metrics.
package struct AttemptReport: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case delivered, failed, exhausted
    }

    package let outcome: Outcome
    package let duration: Duration
    package let status: Int?
    package let reusedConnection: Bool
}
