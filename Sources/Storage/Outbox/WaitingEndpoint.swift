import QuickActions
import SQL
import Shortcuts

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
