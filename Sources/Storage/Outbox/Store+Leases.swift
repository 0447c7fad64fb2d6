import QuickActions
import Shortcuts

extension Store {
    package func releaseAbandonedLeases(at now: Timestamp) throws(Failure) {
        try database.write { connection throws(Failure) in
            if isShared {
                // For a listed node, heartbeats show whether it lives: the database may have been unreachable until now.
                _ = try connection.endLeases(
                    where: """
                        lease_expires_at > 0 AND lease_node IS NOT NULL AND lease_node <> ?
                        AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = deliveries.lease_node)
                        """, [.text(configuration.node.id)], lock: .skipping, at: now)
            } else {
                _ = try connection.endLeases(where: "lease_expires_at <= ?", [.integer(.max)], lock: .waiting, at: now)
            }
        }
    }

    package func release(_ leases: [DeliveryLease], at now: Timestamp, tellingOthers: Bool) throws(Failure) {
        if tellingOthers {
            try write { transaction throws(Failure) in
                try transaction.connection.endLeases(leases, at: now)
                transaction.effects.hasQueuedDeliveries = true
            }
        } else {
            try database.writeUnsynced(.free) { connection throws(Failure) in try connection.endLeases(leases, at: now) }
        }
        membership.letGo(leases)
    }
}

/// A delivery whose lease ends without an outcome.
private struct EndingLease: RowReadable {
    let sequence: Int64
    let id: DeliveryID
    let token: String
    /// Whether another attempt was requested during the leased one.
    let isAskedAgain: Bool

    static let columns = "sequence, id, lease_token, resend_again"

    init(row: inout SQLRow) throws(Failure) {
        (sequence, id) = (try row.read(), try row.read())
        (token, isAskedAgain) = (try row.read(), try row.read())
    }
}

extension SQLConnection {
    /// Ends leases. A resend that was requested during a leased attempt becomes due.
    /// - Parameter condition: on the columns of `deliveries`. If it bounds `lease_expires_at`, the index on leases is used.
    /// - Returns: the number of leases.
    func endLeases(where condition: String, _ values: [SQLValue], lock: RowLock, at now: Timestamp) throws(Failure) -> Int {
        let ending = try rows(
            """
            SELECT \(EndingLease.columns) FROM deliveries WHERE lease_token IS NOT NULL AND \(condition)
            ORDER BY sequence\(locking(lock))
            """, values, as: EndingLease.self)
        try end(ending, at: now)
        return ending.count
    }

    /// Ends those of the leases that are still current.
    fileprivate func endLeases(_ leases: [DeliveryLease], at now: Timestamp) throws(Failure) {
        let held = Set(leases)
        for list in ValueList.lists(of: Set(leases.map(\.deliveryID)).sorted().map { SQLValue($0) }) {
            let leased = try rows(
                """
                SELECT \(EndingLease.columns) FROM deliveries WHERE id IN \(list.sql) AND lease_token IS NOT NULL
                ORDER BY sequence\(locking(.waiting))
                """, list.values, as: EndingLease.self)
            try end(leased.filter { held.contains(DeliveryLease(deliveryID: $0.id, token: $0.token)) }, at: now)
        }
    }

    private func end(_ leases: [EndingLease], at now: Timestamp) throws(Failure) {
        for list in ValueList.lists(of: leases.map { .integer($0.sequence) }) {
            try enqueue(
                "UPDATE deliveries SET lease_token = NULL, lease_node = NULL, lease_expires_at = NULL WHERE sequence IN \(list.sql)",
                list.values)
        }
        for lease in leases where lease.isAskedAgain { _ = try requestAttempt(on: lease.id, at: now) }
    }

    /// Locks the leased deliveries to an endpoint in the order in which their outcomes are recorded. Must be called before all pending
    /// deliveries are written, which happens in any order.
    func lockLeased(of endpoint: EndpointID) throws(Failure) {
        let lock = locking(.waiting)
        guard !lock.isEmpty else { return }
        _ = try rows(
            "SELECT sequence FROM deliveries WHERE endpoint = ? AND lease_token IS NOT NULL ORDER BY sequence\(lock)",
            [SQLValue(endpoint)], as: Int64.self)
    }
}

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
    /// All nodes together hold at most `perEndpoint` of its leases. If only this node delivers to the endpoint, it may hold `ahead`, and
    /// starts only `perEndpoint` of them at a time. If others hold at least half, this node does not claim, so that one of them serves the
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
