import QuickActions
import SQL
import Shortcuts

extension Store: DeliveryQueue {
    package func releaseAbandonedLeases(at now: Timestamp) throws(Failure) {
        try database.write { connection throws(Failure) in
            try connection.releaseLeases(where: "lease_expires_at <= ?", [.integer(.max)], at: now)
        }
    }

    package func release(_ leases: [DeliveryLease], at now: Timestamp) throws(Failure) {
        try database.writeUnsynced(.free) { connection throws(Failure) in
            for lease in leases {
                try connection.releaseLeases(
                    where: "id = ? AND lease_token = ?", [SQLValue(lease.deliveryID), .text(lease.token)], at: now)
            }
        }
    }

    package func claimDue(
        at now: Timestamp, limit: Int, perEndpoint: Int, lease milliseconds: Int64
    ) throws(Failure) -> [ClaimedDelivery] {
        guard limit > 0 else { return [] }
        let lease = Lease(
            token: makeLeaseToken(), expiresAt: Timestamp(milliseconds: now.milliseconds + milliseconds))
        // A claim needs no fsync: after a power failure it is void, like the claims of any dead process.
        return try database.writeUnsynced(.claims) { connection throws(Failure) in
            try connection.releaseLeases(where: "lease_expires_at <= ?", [SQLValue(now)], at: now)
            var due: [[DueDelivery]] = []
            for endpoint in try connection.waitingEndpoints() where endpoint.due <= now && endpoint.room(perEndpoint) > 0 {
                // At most `limit` deliveries are claimed, round-robin over endpoints.
                if due.count == limit { break }
                due.append(try connection.due(for: endpoint, at: now, limit: min(limit, endpoint.room(perEndpoint))))
            }
            return try connection.claim(roundRobin(due, limit: limit), under: lease)
        }
    }
}

private struct DueDelivery: RowReadable {
    let sequence: Int64
    let id: DeliveryID
    let endpoint: EndpointID
    let event: EventID
    let attemptsMade: Int
    let dueAt: Timestamp

    /// In the order of `columns`.
    init(row: inout SQLRow) throws(Failure) {
        sequence = try row.read()
        (id, endpoint, event) = (try row.read(), try row.read(), try row.read())
        (attemptsMade, dueAt) = (try row.read(), try row.read())
    }

    static let columns = "sequence, id, endpoint, event, attempts_made, next_attempt_at"
}

private struct Lease {
    let token: String
    let expiresAt: Timestamp
}

/// Round-robin over endpoints, the one that has waited longest first.
private func roundRobin(_ endpoints: [[DueDelivery]], limit: Int) -> [DueDelivery] {
    var picked: [DueDelivery] = []
    for round in 0..<(endpoints.map(\.count).max() ?? 0) {
        for due in endpoints where round < due.count && picked.count < limit { picked.append(due[round]) }
    }
    return picked
}

extension SQLConnection {
    /// Clears the leases; a resend that was requested behind a leased attempt becomes due.
    fileprivate func releaseLeases(where condition: String, _ values: [SQLValue], at now: Timestamp) throws(Failure) {
        let asked = try rows(
            "SELECT id FROM deliveries WHERE lease_token IS NOT NULL AND \(condition) AND resend_again = 1", values,
            as: DeliveryID.self)
        try execute(
            "UPDATE deliveries SET lease_token = NULL, lease_expires_at = NULL WHERE lease_token IS NOT NULL AND \(condition)", values)
        for id in asked { _ = try requestAttempt(on: id, at: now) }
    }

    /// The deliveries that are due, in order; of an ordered endpoint only the oldest pending one, once it is due.
    fileprivate func due(for endpoint: WaitingEndpoint, at now: Timestamp, limit: Int) throws(Failure) -> [DueDelivery] {
        guard limit > 0 else { return [] }
        guard endpoint.isOrdered else {
            return try rows(
                """
                SELECT \(DueDelivery.columns) FROM deliveries
                WHERE endpoint = ? AND state = 'pending' AND lease_token IS NULL AND next_attempt_at <= ?
                ORDER BY next_attempt_at, created_at, sequence LIMIT ?
                """, [SQLValue(endpoint.id), SQLValue(now), SQLValue(limit)], as: DueDelivery.self)
        }
        let oldest = try first(
            """
            SELECT \(DueDelivery.columns) FROM deliveries
            WHERE endpoint = ? AND state = 'pending' ORDER BY sequence LIMIT 1
            """, [SQLValue(endpoint.id)], as: DueDelivery.self)
        return oldest.map { $0.dueAt <= now ? [$0] : [] } ?? []
    }

    fileprivate func claim(_ deliveries: [DueDelivery], under lease: Lease) throws(Failure) -> [ClaimedDelivery] {
        var endpoints: [EndpointID: Endpoint] = [:]
        var events: [EventID: Event] = [:]
        var claimed: [ClaimedDelivery] = []
        for delivery in deliveries {
            // The condition is for PostgreSQL, where another process may have claimed it meanwhile.
            let taken = try execute(
                """
                UPDATE deliveries SET lease_token = ?, lease_expires_at = ?
                WHERE sequence = ? AND state = 'pending' AND lease_token IS NULL
                """, [.text(lease.token), SQLValue(lease.expiresAt), .integer(delivery.sequence)])
            guard taken == 1 else { continue }
            if endpoints[delivery.endpoint] == nil { endpoints[delivery.endpoint] = try endpoint(delivery.endpoint) }
            if events[delivery.event] == nil { events[delivery.event] = try event(delivery.event) }
            guard let endpoint = endpoints[delivery.endpoint], let event = events[delivery.event] else { continue }
            claimed.append(
                ClaimedDelivery(
                    id: delivery.id, leaseToken: lease.token, endpoint: endpoint, event: event,
                    attemptsMade: delivery.attemptsMade))
        }
        return claimed
    }

    private func event(_ id: EventID) throws(Failure) -> Event? {
        try first("SELECT id, type, app, occurred_at, body FROM events WHERE id = ?", [SQLValue(id)], as: Event.self)
    }
}

extension Event: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            id: try row.read(), type: try row.read(), app: try row.read(), occurredAt: try row.read(),
            body: Array(try row.text().utf8))
    }
}
