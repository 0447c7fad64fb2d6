import QuickActions

/// The outbox for the dispatcher. Every call is one short transaction; no transaction is open during an HTTP request.
package protocol DeliveryQueue: Sendable {
    /// Ends the leases of processes that died. Their deliveries become due at once, and no attempt is counted.
    func releaseAbandonedLeases(at now: Timestamp) throws(Failure)

    /// Claims due deliveries of enabled endpoints under a lease: round-robin over endpoints, oldest first within one. While an older
    /// delivery of an ordered endpoint is held, its later ones wait.
    /// - Parameters:
    ///   - limit: the maximum number of deliveries.
    ///   - perEndpoint: the maximum number of leases per endpoint over all nodes; 1 for an ordered one.
    ///   - ahead: the maximum per endpoint if no other node has a lease of it. The caller starts only `perEndpoint` of them at a time.
    func claimDue(at now: Timestamp, limit: Int, perEndpoint: Int, ahead: Int, lease milliseconds: Int64) throws(Failure)
        -> [ClaimedDelivery]

    /// Records the outcomes of attempts in one transaction, each only if its lease is still held.
    /// - Parameter disableAfter: an endpoint that has only failed for this time is disabled as `failing`.
    func record(_ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter milliseconds: Int64) throws(Failure)

    /// Holds claimed deliveries that cannot be read, or whose outcome cannot be recorded, so that other deliveries continue. `recover` and
    /// each start of a program retry them.
    func quarantine(_ leases: [DeliveryLease], because failure: Failure, at now: Timestamp) throws(Failure)

    /// Releases claimed deliveries that are not attempted. They are due again at once, and no attempt is counted.
    /// - Parameter tellingOthers: whether to notify other nodes, because the caller claims no more deliveries.
    func release(_ leases: [DeliveryLease], at now: Timestamp, tellingOthers: Bool) throws(Failure)

    /// The earliest time at which a pending delivery of an enabled endpoint is due; nil without any.
    func nextDue() throws(Failure) -> Timestamp?

    func backlog() throws(Failure) -> Backlog
}

extension DeliveryQueue {
    package func claimDue(
        at now: Timestamp, limit: Int, perEndpoint: Int, lease milliseconds: Int64
    ) throws(Failure) -> [ClaimedDelivery] {
        try claimDue(at: now, limit: limit, perEndpoint: perEndpoint, ahead: perEndpoint, lease: milliseconds)
    }

    package func release(_ leases: [DeliveryLease], at now: Timestamp) throws(Failure) {
        try release(leases, at: now, tellingOthers: false)
    }
}

/// The depth of the outbox.
package struct Backlog: Sendable {
    package let pending: Int
    /// The creation time of the oldest pending delivery; nil without any.
    package let oldest: Timestamp?

    package init(pending: Int, oldest: Timestamp?) {
        self.pending = pending
        self.oldest = oldest
    }
}
