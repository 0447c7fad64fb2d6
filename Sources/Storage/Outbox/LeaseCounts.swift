import QuickActions
import SQL
import Shortcuts

/// The current leases by endpoint: those of this node and those of others.
struct LeaseCounts {
    private struct Count {
        var own = 0
        var others = 0
    }

    private var counts: [EndpointID: Count] = [:]

    init(_ leases: some Sequence<LeasedDelivery>, isOwn: (LeasedDelivery) -> Bool) {
        for lease in leases {
            if isOwn(lease) {
                counts[lease.endpoint, default: Count()].own += 1
            } else {
                counts[lease.endpoint, default: Count()].others += 1
            }
        }
    }

    func isLeased(_ endpoint: EndpointID) -> Bool { counts[endpoint] != nil }

    /// How many more deliveries to the endpoint this node may claim.
    ///
    /// All nodes together hold at most `perEndpoint` of its leases. A node that alone delivers to an endpoint may hold `ahead`, and starts
    /// only `perEndpoint` of them at a time. If others hold at least half, this node does not claim, so that one of them serves the
    /// endpoint alone and can claim ahead.
    func room(at endpoint: WaitingEndpoint, perEndpoint: Int, ahead: Int) -> Int {
        let count = counts[endpoint.id] ?? Count()
        guard !endpoint.isOrdered else { return count.own + count.others == 0 ? min(1, perEndpoint) : 0 }
        if count.others == 0 { return max(0, max(ahead, perEndpoint) - count.own) }
        return count.others * 2 >= perEndpoint ? 0 : max(0, perEndpoint - count.own - count.others)
    }
}

/// A delivery under a lease.
struct LeasedDelivery: RowReadable {
    let sequence: Int64
    let endpoint: EndpointID
    /// Nil if it was claimed by a version without nodes.
    let node: String?
    let expiresAt: Timestamp
    let lease: DeliveryLease

    init(row: inout SQLRow) throws(Failure) {
        (sequence, endpoint) = (try row.read(), try row.read())
        (node, expiresAt) = (try row.read(), try row.read())
        lease = DeliveryLease(deliveryID: try row.read(), token: try row.read())
    }
}

extension SQLConnection {
    /// Counted in Swift, because SQLite would scan the whole table for a GROUP BY.
    func leasedDeliveries() throws(Failure) -> [LeasedDelivery] {
        try rows(
            """
            SELECT sequence, endpoint, lease_node, lease_expires_at, id, lease_token FROM deliveries
            WHERE lease_token IS NOT NULL AND lease_expires_at > ?
            """, [.integer(0)], as: LeasedDelivery.self)
    }
}
