import QuickActions
import Shortcuts

/// The rules of the queue.
extension MemoryQueue.State {
    /// The next deliveries that an enabled endpoint can get.
    private struct Candidates {
        let endpoint: Endpoint
        /// Rows without a lease, in their order. Of an ordered endpoint only the oldest, and none if an older one is held.
        let rows: [Int]
        /// When the first row is due and the hold is over.
        let due: Timestamp
        let leased: Int
    }

    /// Longest waiting first. An ordered endpoint has at most one delivery in flight.
    private var candidates: [Candidates] {
        endpoints.values.filter(\.enabled).compactMap { endpoint in
            let own = rows.indices.filter { rows[$0].endpointID == endpoint.id }
            let leased = own.count { rows[$0].lease != nil }
            let pending = own.filter { rows[$0].state == .pending }
            let next =
                endpoint.ordered
                ? (leased == 0
                    ? own.filter { [.pending, .held].contains(rows[$0].state) }.prefix(1).filter { rows[$0].state == .pending } : [])
                : pending.filter { rows[$0].lease == nil }.sorted { (rows[$0].due, $0) < (rows[$1].due, $1) }
            guard let first = next.first else { return nil }
            let due = max(rows[first].due, holds[endpoint.id] ?? rows[first].due)
            return Candidates(endpoint: endpoint, rows: next, due: due, leased: leased)
        }.sorted { ($0.due, $0.endpoint.id) < ($1.due, $1.endpoint.id) }
    }

    mutating func claimDue(at now: Timestamp, limit: Int, perEndpoint: Int, until end: Timestamp) -> [ClaimedDelivery] {
        guard limit > 0 else { return [] }
        releaseLeases { row in row.lease.map { $0.until <= now } ?? false }
        var turns = candidates.filter { $0.due <= now }.map { candidate in
            let room = max(0, (candidate.endpoint.ordered ? min(1, perEndpoint) : perEndpoint) - candidate.leased)
            return (endpoint: candidate.endpoint, rows: candidate.rows.filter { rows[$0].due <= now }.prefix(room))
        }
        claims += 1
        var claimed: [ClaimedDelivery] = []
        while claimed.count < limit, turns.contains(where: { !$0.rows.isEmpty }) {
            for turn in turns.indices where claimed.count < limit {
                guard let index = turns[turn].rows.popFirst() else { continue }
                rows[index].lease = MemoryQueue.Lease(token: "lease-\(claims)", until: end)
                let row = rows[index]
                claimed.append(
                    ClaimedDelivery(
                        id: row.id, leaseToken: "lease-\(claims)", endpoint: turns[turn].endpoint, event: row.event,
                        attemptsMade: row.attemptsMade))
            }
        }
        let leased = Dictionary(grouping: rows.filter { $0.lease != nil }, by: \.endpointID)
        mostLeased = max(mostLeased, leased.values.map(\.count).max() ?? 0)
        return claimed
    }

    /// - Returns: the number of rows.
    @discardableResult
    mutating func releaseLeases(where isVoid: (MemoryQueue.Row) -> Bool) -> Int {
        let void = rows.indices.filter { rows[$0].lease != nil && isVoid(rows[$0]) }
        for index in void { rows[index].lease = nil }
        return void.count
    }

    mutating func record(_ outcome: DeliveryOutcome, at now: Timestamp, disableAfter milliseconds: Int64) {
        let found = rows.firstIndex { $0.id == outcome.deliveryID && $0.lease?.token == outcome.leaseToken }
        guard let index = found else { return }
        rows[index].lease = nil
        rows[index].attempts.append(outcome.attempt)
        rows[index].attemptsMade += 1
        let endpoint = rows[index].endpointID
        if let hold = outcome.holdEndpointUntil { holds[endpoint] = max(holds[endpoint] ?? hold, hold) }
        switch outcome.next {
        case .delivered:
            rows[index].state = .delivered
            failingSince[endpoint] = nil
            return
        case .exhausted: rows[index].state = .exhausted
        case .retry(let time): rows[index].due = time
        }
        let since = failingSince[endpoint] ?? now
        failingSince[endpoint] = since
        if outcome.disablesEndpoint || now.milliseconds - since.milliseconds >= milliseconds { disable(endpoint) }
    }

    /// Holds the pending rows. A leased one keeps its lease, so that its outcome is still recorded.
    mutating func disable(_ endpoint: EndpointID) {
        guard endpoints[endpoint]?.enabled == true else { return }
        endpoints[endpoint]?.enabled = false
        for index in rows.indices where rows[index].endpointID == endpoint && rows[index].state == .pending {
            rows[index].state = .held
        }
    }

    mutating func enable(_ endpoint: EndpointID) {
        endpoints[endpoint]?.enabled = true
        (failingSince[endpoint], holds[endpoint]) = (nil, nil)
    }

    mutating func recover(_ endpoint: EndpointID, at now: Timestamp) {
        for index in rows.indices where rows[index].endpointID == endpoint && [.exhausted, .held].contains(rows[index].state) {
            (rows[index].state, rows[index].due, rows[index].attemptsMade) = (.pending, now, 0)
        }
    }

    mutating func skipHeld(of endpoint: EndpointID) {
        for index in rows.indices where rows[index].endpointID == endpoint && rows[index].state == .held { rows[index].state = .cancelled }
    }

    /// When a delivery can be claimed next, or a lease ends.
    var nextDue: Timestamp? {
        let ends = rows.compactMap { row -> Timestamp? in
            row.state == .pending && endpoints[row.endpointID]?.enabled == true ? row.lease?.until : nil
        }
        return (ends + [candidates.first?.due].compactMap { $0 }).min()
    }
}
