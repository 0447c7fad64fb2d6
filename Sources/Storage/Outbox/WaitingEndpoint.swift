import QuickActions
import SQL
import Shortcuts

/// An enabled endpoint with a pending delivery that can be claimed.
struct WaitingEndpoint {
    let id: EndpointID
    let isOrdered: Bool
    /// When its next delivery can be sent: it is due and the hold is over.
    let due: Timestamp
    /// How many of its deliveries are leased.
    let leased: Int

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
             WHERE d.endpoint = e.id AND d.state = 'pending' ORDER BY d.sequence LIMIT 1)
        ELSE
            (SELECT d.next_attempt_at FROM deliveries d
             WHERE d.endpoint = e.id AND d.state = 'pending' AND d.lease_token IS NULL
             ORDER BY d.next_attempt_at LIMIT 1)
        END
        FROM waiting w JOIN endpoints e ON e.id = w.endpoint WHERE e.enabled = 1
        """

    /// How many more deliveries may be claimed.
    func room(_ perEndpoint: Int) -> Int {
        max(0, (isOrdered ? min(1, perEndpoint) : perEndpoint) - leased)
    }
}

extension SQLConnection {
    /// The one that has waited longest first. An ordered endpoint with a leased delivery is left out.
    func waitingEndpoints() throws(Failure) -> [WaitingEndpoint] {
        let leased = try leasedByEndpoint()
        return try rows(WaitingEndpoint.selection, []) { row throws(Failure) -> WaitingEndpoint? in
            let (endpoint, isOrdered, hold) = (try row.read(EndpointID.self), try row.read(Bool.self), try row.read(Timestamp?.self))
            let underWay = leased[endpoint] ?? 0
            guard let due = try row.read(Timestamp?.self), !isOrdered || underWay == 0 else { return nil }
            return WaitingEndpoint(id: endpoint, isOrdered: isOrdered, due: max(due, hold ?? due), leased: underWay)
        }.compactMap { $0 }.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
    }

    /// Counted here: with GROUP BY, SQLite would scan the whole table.
    private func leasedByEndpoint() throws(Failure) -> [EndpointID: Int] {
        try rows(
            "SELECT endpoint FROM deliveries WHERE lease_token IS NOT NULL AND lease_expires_at > ?", [.integer(0)],
            as: EndpointID.self
        ).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
