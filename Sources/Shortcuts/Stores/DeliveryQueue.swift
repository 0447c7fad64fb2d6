import QuickActions

/// The outbox as the dispatcher sees it. Every call is one short transaction; none is open across a request.
package protocol DeliveryQueue: Sendable {
    /// Voids the leases of a process that died: what it had claimed is due at once and does not count as an attempt.
    func releaseAbandonedLeases(at now: Timestamp) throws(Failure)

    /// Takes due deliveries of enabled endpoints under a lease, fairly over the endpoints, oldest first within one.
    /// - Parameters:
    ///   - limit: the most to take in all.
    ///   - perEndpoint: the most that may be under a lease for one endpoint (1 for an ordered one).
    func claimDue(at now: Timestamp, limit: Int, perEndpoint: Int, lease milliseconds: Int64) throws(Failure)
        -> [ClaimedDelivery]

    /// Writes what came of attempts, each only where its lease still holds. One transaction for all of them.
    /// - Parameter disableAfter: milliseconds of nothing but failure after which an endpoint is disabled as `failing`.
    func record(_ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter milliseconds: Int64) throws(Failure)

    /// Gives back what was claimed and is not attempted: it is due again at once, and no attempt is counted.
    func release(_ leases: [DeliveryLease], at now: Timestamp) throws(Failure)

    /// When the next pending delivery of an enabled endpoint is due; nil when none is pending.
    func nextDue() throws(Failure) -> Timestamp?

    /// Outbox depth (pending deliveries) and the creation time of the oldest one.
    func backlog() throws(Failure) -> Backlog
}

package struct Backlog: Sendable {
    package let pending: Int
    package let oldest: Timestamp?

    package init(pending: Int, oldest: Timestamp?) {
        self.pending = pending
        self.oldest = oldest
    }
}
