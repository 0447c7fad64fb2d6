import QuickActions
import SQL
import Shortcuts

/// An enabled endpoint that something is waiting for.
struct WaitingEndpoint {
    let id: EndpointID
    let isOrdered: Bool
    /// When something can be sent to it: the hold is over and what is next is due.
    let due: Timestamp
    /// How many deliveries are under way.
    let leased: Int

    /// The endpoints are found by steps along the index of what is pending: those that wait for nothing cost nothing.
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

    /// How many more may be under way.
    func room(_ perEndpoint: Int) -> Int {
        max(0, (isOrdered ? min(1, perEndpoint) : perEndpoint) - leased)
    }
}

extension SQLConnection {
    /// The longest waiting first. What is under way is waited for elsewhere; an ordered endpoint sends nothing beside it.
    func waitingEndpoints() throws(Failure) -> [WaitingEndpoint] {
        let leased = try leasedByEndpoint()
        return try rows(WaitingEndpoint.selection, []) { row throws(Failure) -> WaitingEndpoint? in
            let (endpoint, isOrdered, hold) = (try row.read(EndpointID.self), try row.read(Bool.self), try row.read(Timestamp?.self))
            let underWay = leased[endpoint] ?? 0
            guard let due = try row.read(Timestamp?.self), !isOrdered || underWay == 0 else { return nil }
            return WaitingEndpoint(id: endpoint, isOrdered: isOrdered, due: max(due, hold ?? due), leased: underWay)
        }.compactMap { $0 }.sorted { ($0.due, $0.id) < ($1.due, $1.id) }
    }

    /// Counted here: grouped by SQLite, it would walk the whole log.
    private func leasedByEndpoint() throws(Failure) -> [EndpointID: Int] {
        try rows(
            "SELECT endpoint FROM deliveries WHERE lease_token IS NOT NULL AND lease_expires_at > ?", [.integer(0)],
            as: EndpointID.self
        ).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}
