import Shortcuts

extension Dispatcher {
    package struct Configuration: Sendable {
        package var schedule = RetrySchedule.standard
        /// Of a whole attempt, from the name look-up to the last byte.
        package var timeout = Duration.seconds(15)
        /// Of the name look-up and the connection with its TLS handshake.
        package var connectTimeout = Duration.seconds(5)
        package var addressGuard = AddressGuard()
        package var httpsOnly = false
        /// Of nothing but failure, after which an endpoint is disabled.
        package var disableAfter = Duration.seconds(120 * 3600)
        package var inFlightPerEndpoint = 8
        /// In all; each takes a file descriptor.
        package var inFlight = 512
        /// Names looked up at the same time, a thread each.
        package var lookups = 32
        /// PEM file of authorities that are trusted beside the system's.
        package var authorities: String?
        /// Follows `Longpress/` in `User-Agent`.
        package var version: String

        package init(version: String) {
            self.version = version
        }
    }
}

/// One attempt, as the metrics see it.
package struct AttemptReport: Sendable {
    package enum Outcome: String, Sendable, CaseIterable {
        case delivered, failed, exhausted
    }

    package let outcome: Outcome
    package let duration: Duration
    package let status: Int?
    package let reusedConnection: Bool
}
