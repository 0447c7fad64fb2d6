import Shortcuts

extension Store: DeliveryQueue {
    package func releaseAbandonedLeases() throws(Failure) {
        try database.write { connection throws(Failure) in
            try connection.releaseLeases(expiringBy: Timestamp(milliseconds: .max))
        }
    }

    package func claimDue(
        at now: Timestamp, limit: Int, perEndpoint: Int, lease milliseconds: Int64
    ) throws(Failure) -> [ClaimedDelivery] {
        guard limit > 0 else { return [] }
        let lease = Lease(
            token: makeLeaseToken(), expiresAt: Timestamp(milliseconds: now.milliseconds + milliseconds))
        return try database.write { connection throws(Failure) in
            try connection.releaseLeases(expiringBy: now)
            var lanes: [[Int64]] = []
            for lane in try connection.lanes() where lane.due <= now {
                lanes.append(try connection.due(in: lane, at: now, limit: min(limit, lane.room(perEndpoint))))
            }
            return try connection.claim(fairly(lanes, limit: limit), under: lease)
        }
    }
}

private struct Lease {
    let token: String
    let expiresAt: Timestamp
}

/// One of each lane in turn, the lane that has waited longest first.
private func fairly(_ lanes: [[Int64]], limit: Int) -> [Int64] {
    var picked: [Int64] = []
    for round in 0..<(lanes.map(\.count).max() ?? 0) {
        for lane in lanes where round < lane.count && picked.count < limit { picked.append(lane[round]) }
    }
    return picked
}

extension SQLConnection {
    fileprivate func releaseLeases(expiringBy now: Timestamp) throws(Failure) {
        try execute(
            """
            UPDATE deliveries SET lease_token = NULL, lease_expires_at = NULL
            WHERE lease_token IS NOT NULL AND lease_expires_at <= ?
            """, [SQLValue(now)])
    }

    /// Oldest due first; of an ordered endpoint only the oldest that is pending, once it is due.
    fileprivate func due(in lane: Lane, at now: Timestamp, limit: Int) throws(Failure) -> [Int64] {
        guard limit > 0 else { return [] }
        guard lane.isOrdered else {
            return try rows(
                """
                SELECT sequence FROM deliveries
                WHERE endpoint = ? AND state = 'pending' AND lease_token IS NULL AND next_attempt_at <= ?
                ORDER BY next_attempt_at, created_at, sequence LIMIT ?
                """, [.text(lane.endpoint), SQLValue(now), SQLValue(limit)]
            ) { row throws(Failure) in try row.integer() }
        }
        let oldest = try first(
            """
            SELECT sequence, next_attempt_at FROM deliveries
            WHERE endpoint = ? AND state = 'pending' ORDER BY sequence LIMIT 1
            """, [.text(lane.endpoint)]
        ) { row throws(Failure) in (sequence: try row.integer(), due: try row.time()) }
        return oldest.map { $0.due <= now ? [$0.sequence] : [] } ?? []
    }

    fileprivate func claim(_ sequences: [Int64], under lease: Lease) throws(Failure) -> [ClaimedDelivery] {
        var endpoints: [String: Endpoint] = [:]
        var events: [String: Event] = [:]
        var claimed: [ClaimedDelivery] = []
        for sequence in sequences {
            // The condition is for PostgreSQL, where another process may have been quicker.
            let row = try first(
                """
                UPDATE deliveries SET lease_token = ?, lease_expires_at = ?
                WHERE sequence = ? AND state = 'pending' AND lease_token IS NULL
                RETURNING id, endpoint, event, attempts_made
                """, [.text(lease.token), SQLValue(lease.expiresAt), .integer(sequence)]
            ) { row throws(Failure) in (try row.text(), try row.text(), try row.text(), try row.integer()) }
            guard let (id, endpointID, eventID, attemptsMade) = row else { continue }
            if endpoints[endpointID] == nil { endpoints[endpointID] = try endpoint(endpointID) }
            if events[eventID] == nil { events[eventID] = try event(eventID) }
            guard let endpoint = endpoints[endpointID], let event = events[eventID] else { continue }
            claimed.append(
                ClaimedDelivery(
                    id: id, leaseToken: lease.token, endpoint: endpoint, event: event, attemptsMade: Int(attemptsMade)))
        }
        return claimed
    }

    private func event(_ id: String) throws(Failure) -> Event? {
        try first("SELECT id, type, app, occurred_at, body FROM events WHERE id = ?", [.text(id)]) {
            row throws(Failure) in
            Event(
                id: try row.text(), type: try row.parsed(EventType.init(rawValue:)),
                app: try row.optionallyParsed(AppID.init), occurredAt: try row.time(), body: Array(try row.text().utf8))
        }
    }
}
