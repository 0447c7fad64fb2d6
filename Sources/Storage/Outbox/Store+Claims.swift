import QuickActions
import Shortcuts

extension Store: DeliveryQueue {
    package func claimDue(
        at now: Timestamp, limit: Int, perEndpoint: Int, ahead: Int, lease milliseconds: Int64
    ) throws(Failure) -> [ClaimedDelivery] {
        guard limit > 0 else { return [] }
        try confirmMembership(at: now)
        membership.leaseLength = milliseconds
        let lease = Lease(token: makeLeaseToken(), node: configuration.node.id, expiresAt: now.adding(milliseconds))
        var unreadable: [UnreadableDelivery] = []
        let claimed = try membership.holding(under: lease.token) { () throws(Failure) in
            let batch = try claim(under: lease, at: now, limit: limit, perEndpoint: perEndpoint, ahead: ahead)
            unreadable = batch.unreadable
            return batch.claimed
        }
        for (_, deliveries) in Dictionary(grouping: unreadable, by: \.failure.cause) {
            guard let failure = deliveries.first?.failure else { continue }
            // If this fails, their leases expire and they are claimed again.
            try? quarantine(deliveries.map { DeliveryLease(deliveryID: $0.id, token: lease.token) }, because: failure, at: now)
        }
        return claimed
    }

    /// A claim needs no fsync: after a power failure it is void, like the claims of a dead process.
    private func claim(
        under lease: Lease, at now: Timestamp, limit: Int, perEndpoint: Int, ahead: Int
    ) throws(Failure) -> (claimed: [ClaimedDelivery], unreadable: [UnreadableDelivery]) {
        try database.writeUnsynced(.claims) { connection throws(Failure) in
            let leases = LeaseCounts(try connection.leasedDeliveries(endingVoidOf: self, at: now), isOwn: isOwn)
            // At most `limit` deliveries are claimed, round-robin over endpoints.
            let waiting = try connection.waitingEndpoints(leases).filter { $0.due <= now }.map { endpoint in
                (endpoint, limit: min(limit, leases.room(at: endpoint, perEndpoint: perEndpoint, ahead: ahead)))
            }
            let due = try connection.due(
                for: Array(waiting.filter { $0.limit > 0 }.prefix(limit)), at: now, unreadable: configuration.noteUnreadable)
            return try connection.claim(roundRobin(due, limit: limit), under: lease, key: configuration.secretKey)
        }
    }

    /// Whether this process must end the lease: while it lives, no other process does.
    fileprivate func isOwn(_ lease: LeasedDelivery) -> Bool {
        !isShared || lease.node == nil || lease.node == configuration.node.id
    }

    /// Whether this process makes the attempt of the lease.
    fileprivate func isHeld(_ lease: LeasedDelivery) -> Bool {
        !isShared || lease.node == nil || membership.holds(lease.lease)
    }
}

private struct DueDelivery: RowReadable {
    let sequence: Int64
    let id: DeliveryID
    let endpoint: EndpointID
    let event: EventID
    let attemptsMade: Int
    let dueAt: Timestamp
    let createdAt: Timestamp

    /// In the order of `columns`.
    init(row: inout SQLRow) throws(Failure) {
        sequence = try row.read()
        (id, endpoint, event) = (try row.read(), try row.read(), try row.read())
        (attemptsMade, dueAt, createdAt) = (try row.read(), try row.read(), try row.read())
    }

    static let columns = "sequence, id, endpoint, event, attempts_made, next_attempt_at, created_at"

    /// The deliveries of one endpoint.
    static let unordered =
        """
        SELECT \(columns) FROM (SELECT \(columns) FROM deliveries
            WHERE endpoint = ? AND state = 'pending' AND lease_token IS NULL AND next_attempt_at <= ?
            ORDER BY next_attempt_at, created_at, sequence LIMIT ?) due
        """
    /// Only the oldest delivery, due or not, and none while an older one is held, so that none overtakes another.
    static let ordered =
        """
        SELECT \(columns) FROM (SELECT \(columns) FROM deliveries
            WHERE endpoint = ? AND state = 'pending' AND sequence < \(WaitingEndpoint.oldestHeld(at: "?"))
            ORDER BY sequence LIMIT 1) oldest WHERE next_attempt_at <= ?
        """

    static func isEarlier(_ one: DueDelivery, _ other: DueDelivery) -> Bool {
        (one.dueAt, one.createdAt, one.sequence) < (other.dueAt, other.createdAt, other.sequence)
    }
}

/// A leased delivery whose event or endpoint cannot be read.
private struct UnreadableDelivery {
    let id: DeliveryID
    let failure: Failure
}

private struct Lease {
    let token: String
    let node: String
    let expiresAt: Timestamp
}

/// Round-robin over endpoints, starting with the one that has waited longest.
private func roundRobin(_ endpoints: [[DueDelivery]], limit: Int) -> [DueDelivery] {
    var picked: [DueDelivery] = []
    for round in 0..<(endpoints.map(\.count).max() ?? 0) {
        for due in endpoints where round < due.count && picked.count < limit { picked.append(due[round]) }
    }
    return picked
}

extension SQLConnection {
    /// The deliveries under a lease. First ends this store's own void leases and leaves them out.
    fileprivate func leasedDeliveries(endingVoidOf store: Store, at now: Timestamp) throws(Failure) -> [LeasedDelivery] {
        let leased = try leasedDeliveries()
        let own = leased.filter(store.isOwn)
        let expired = own.filter { $0.expiresAt <= now && store.isHeld($0) }
        let unknown = own.filter { !store.isHeld($0) }
        guard !expired.isEmpty || !unknown.isEmpty else { return leased }
        for list in ValueList.lists(of: expired.map(\.sequence).sorted().map { .integer($0) }) {
            // A heartbeat may have renewed the lease since it was read.
            _ = try endLeases(
                where: "sequence IN \(list.sql) AND lease_expires_at <= ?", list.values + [SQLValue(now)], lock: .skipping, at: now)
        }
        for list in ValueList.lists(of: unknown.map(\.sequence).sorted().map { .integer($0) }) {
            _ = try endLeases(where: "sequence IN \(list.sql)", list.values, lock: .skipping, at: now)
        }
        let ended = Set((expired + unknown).map(\.sequence))
        return leased.filter { !ended.contains($0.sequence) }
    }

    /// The due deliveries, in order, for each endpoint in the order of `endpoints`. Of an ordered endpoint only the oldest pending
    /// delivery, if it is due and no older one is held.
    fileprivate func due(
        for endpoints: [(WaitingEndpoint, limit: Int)], at now: Timestamp, unreadable: (UnreadableRow) -> Void
    ) throws(Failure) -> [[DueDelivery]] {
        var found: [EndpointID: [DueDelivery]] = [:]
        for isOrdered in [false, true] {
            let these = endpoints.filter { $0.0.isOrdered == isOrdered }
            for start in stride(from: 0, to: these.count, by: Self.endpointsInStatement) {
                let part = these[start..<min(start + Self.endpointsInStatement, these.count)]
                let statement = isOrdered ? DueDelivery.ordered : DueDelivery.unordered
                let due = try readableRows(
                    Array(repeating: statement, count: part.count).joined(separator: " UNION ALL "),
                    part.flatMap { endpoint, limit in
                        let id = SQLValue(endpoint.id)
                        return isOrdered ? [id, id, SQLValue(now)] : [id, SQLValue(now), SQLValue(limit)]
                    }, as: DueDelivery.self, unreadable: { unreadable(UnreadableRow(of: "deliveries", $0)) })
                found.merge(Dictionary(grouping: due.compactMap { $0 }, by: \.endpoint)) { $0 + $1 }
            }
        }
        return endpoints.compactMap { found[$0.0.id]?.sorted(by: DueDelivery.isEarlier) }
    }

    private static var endpointsInStatement: Int { 16 }

    fileprivate func claim(
        _ deliveries: [DueDelivery], under lease: Lease, key: SecretKey?
    ) throws(Failure) -> (claimed: [ClaimedDelivery], unreadable: [UnreadableDelivery]) {
        let taken = try take(deliveries, under: lease)
        let deliveries = deliveries.filter { taken.contains($0.sequence) }
        var endpoints: [String: Result<Endpoint, Failure>] = [:]
        for list in ValueList.lists(of: Set(deliveries.map(\.endpoint)).sorted().map { SQLValue($0) }) {
            for found in try keyedEndpoints(list) { endpoints[found.id] = found.value }
        }
        var events: [String: Result<Event, Failure>] = [:]
        for list in ValueList.lists(of: Set(deliveries.map(\.event)).sorted().map { SQLValue($0) }) {
            let found = try rows(
                "SELECT id, type, app, occurred_at, body, traceparent FROM events WHERE id IN \(list.sql)", list.values,
                as: Keyed<Event>.self)
            for event in found { events[event.id] = event.value }
        }
        var (claimed, unreadable) = ([ClaimedDelivery](), [UnreadableDelivery]())
        for delivery in deliveries {
            guard let endpoint = endpoints[delivery.endpoint.description], let event = events[delivery.event.description] else { continue }
            do throws(Failure) {
                claimed.append(
                    ClaimedDelivery(
                        id: delivery.id, leaseToken: lease.token, endpoint: try endpoint.get().opened(by: key), event: try event.get(),
                        attemptsMade: delivery.attemptsMade))
            } catch {
                unreadable.append(UnreadableDelivery(id: delivery.id, failure: error))
            }
        }
        return (claimed, unreadable)
    }

    /// Leases the deliveries, except those that another transaction has locked or changed since they were read.
    /// - Returns: the sequence numbers of the leased deliveries.
    private func take(_ deliveries: [DueDelivery], under lease: Lease) throws(Failure) -> Set<Int64> {
        var taken: Set<Int64> = []
        for list in ValueList.lists(of: deliveries.map(\.sequence).sorted().map { .integer($0) }) {
            taken.formUnion(
                try rows(
                    """
                    UPDATE deliveries SET lease_token = ?, lease_node = ?, lease_expires_at = ? WHERE sequence IN
                        (SELECT sequence FROM deliveries WHERE sequence IN \(list.sql) AND state = 'pending' AND lease_token IS NULL
                         ORDER BY sequence\(locking(.skipping)))
                    RETURNING sequence
                    """, [.text(lease.token), .text(lease.node), SQLValue(lease.expiresAt)] + list.values, as: Int64.self))
        }
        return taken
    }
}

extension Event: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            id: try row.read(), type: try row.read(), app: try row.read(), occurredAt: try row.read(),
            body: Array(try row.text().utf8), traceParent: try row.read())
    }
}

extension Store {
    package func nextDue() throws(Failure) -> Timestamp? {
        try database.read { connection throws(Failure) in
            let leases = LeaseCounts(try connection.leasedDeliveries()) { _ in true }
            let times = [try connection.waitingEndpoints(leases).first?.due, try connection.nextLeaseEnd()]
            return times.compactMap { $0 }.min()
        }
    }

    package func backlog() throws(Failure) -> Backlog {
        try database.read { connection throws(Failure) in
            try connection.first(
                "SELECT COUNT(*), MIN(created_at) FROM deliveries WHERE state = 'pending'", [], as: Backlog.self)
                ?? Backlog(pending: 0, oldest: nil)
        }
    }

    /// The number of endpoints that get no deliveries for a while because they requested it: 429 or 503 with `Retry-After`.
    package func heldEndpoints() throws(Failure) -> Int {
        let now = clock.now()
        let count = try database.read { connection throws(Failure) in
            try connection.first("SELECT COUNT(*) FROM endpoints WHERE enabled = 1 AND hold_until > ?", [SQLValue(now)], as: Int64.self)
        }
        return Int(count ?? 0)
    }

    /// The number of disabled endpoints, by reason.
    package func disabledEndpoints() throws(Failure) -> [Endpoint.DisabledReason: Int] {
        let counts = try database.read { connection throws(Failure) in
            try connection.rows(
                "SELECT disabled_reason, COUNT(*) FROM endpoints WHERE enabled = 0 GROUP BY disabled_reason", [],
                as: Counted<Endpoint.DisabledReason?>.self)
        }
        return Dictionary(counts.map { ($0.value ?? .operator, Int($0.count)) }, uniquingKeysWith: +)
    }
}

extension SQLConnection {
    /// When the earliest lease ends.
    fileprivate func nextLeaseEnd() throws(Failure) -> Timestamp? {
        try first(
            """
            SELECT MIN(d.lease_expires_at) FROM deliveries d JOIN endpoints e ON e.id = d.endpoint
            WHERE d.lease_token IS NOT NULL AND d.lease_expires_at > ? AND d.state = 'pending' AND e.enabled = 1
            """, [.integer(0)], as: Timestamp?.self) ?? nil
    }
}

extension Backlog: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(pending: try row.read(), oldest: try row.read())
    }
}

/// An enabled endpoint with a pending delivery that can be claimed.
struct WaitingEndpoint {
    let id: EndpointID
    let isOrdered: Bool
    /// When its next delivery can be sent: the delivery is due and the endpoint's hold is over.
    let due: Timestamp

    /// A loose index scan over the pending deliveries: endpoints without one cost nothing.
    static let selection =
        """
        WITH RECURSIVE waiting (endpoint) AS (
            SELECT MIN(endpoint) FROM deliveries WHERE state = 'pending'
            UNION ALL
            SELECT (SELECT MIN(d.endpoint) FROM deliveries d WHERE d.state = 'pending' AND d.endpoint > w.endpoint)
            FROM waiting w WHERE w.endpoint IS NOT NULL)
        SELECT e.id, e.ordered, e.hold_until, CASE WHEN e.ordered = 1 THEN
            (SELECT d.next_attempt_at FROM deliveries d
             WHERE d.endpoint = e.id AND d.state = 'pending' AND d.sequence < \(oldestHeld(at: "e.id")) ORDER BY d.sequence LIMIT 1)
        ELSE
            (SELECT d.next_attempt_at FROM deliveries d
             WHERE d.endpoint = e.id AND d.state = 'pending' AND d.lease_token IS NULL
             ORDER BY d.next_attempt_at LIMIT 1)
        END
        FROM waiting w JOIN endpoints e ON e.id = w.endpoint WHERE e.enabled = 1
        """

    /// The sequence of an endpoint's oldest held delivery. At an ordered endpoint, later deliveries wait for it.
    static func oldestHeld(at endpoint: String) -> String {
        "(SELECT COALESCE(MIN(h.sequence), \(Int64.max)) FROM deliveries h WHERE h.endpoint = \(endpoint) AND h.state = 'held')"
    }
}

extension SQLConnection {
    /// Longest waiting first. An ordered endpoint with a leased delivery is left out.
    func waitingEndpoints(_ leases: LeaseCounts) throws(Failure) -> [WaitingEndpoint] {
        try rows(WaitingEndpoint.selection, []) { row throws(Failure) -> WaitingEndpoint? in
            let (endpoint, isOrdered, hold) = (try row.read(EndpointID.self), try row.read(Bool.self), try row.read(Timestamp?.self))
            guard let due = try row.read(Timestamp?.self), !isOrdered || !leases.isLeased(endpoint) else { return nil }
            return WaitingEndpoint(id: endpoint, isOrdered: isOrdered, due: max(due, hold ?? due))
        }.compactMap { $0 }.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
    }
}
