import QuickActions
import Shortcuts

extension Store {
    private static let listing = Listing<DeliveryRow>(name: "deliveries", start: [.integer(.max)]) { [.integer($0.sequence)] }

    package func deliveries(
        to endpoint: EndpointID, in state: Delivery.State?, of type: EventType?, _ page: PageRequest
    ) throws(Failure) -> Page<Delivery> {
        let wanted = type == nil ? "1 = 1" : "e.type = ?"
        return try Self.listing.page(page) { key, limit throws(Failure) in
            try database.read { connection throws(Failure) in
                // Each state is read along its index, and only as many rows as the page can need.
                var lists: [[DeliveryRow?]] = []
                for state in state.map({ [$0] }) ?? Delivery.State.allCases {
                    lists.append(
                        try connection.readableDeliveries(
                            where: "d.endpoint = ? AND d.state = ? AND d.sequence < ? AND \(wanted) ORDER BY d.sequence DESC LIMIT ?",
                            [SQLValue(endpoint), .text(state.rawValue)] + key + (type.map { [.text($0.rawValue)] } ?? [])
                                + [SQLValue(limit)],
                            unreadable: { configuration.noteUnreadable(UnreadableRow(of: "deliveries", $0)) }))
                }
                let merged = Listing.merged(lists, limit: limit) { $0.sequence > $1.sequence }
                let complete: [DeliveryRow?] = try connection.withAttempts(merged.compactMap { $0 })
                return complete + Array(repeating: nil, count: merged.count - complete.count)
            }
        }.map(\.delivery)
    }

    package func delivery(_ id: DeliveryID) throws(Failure) -> Delivery? {
        try database.read { connection throws(Failure) in try connection.delivery(id) }
    }
}

/// A delivery with its place in the log. Its attempts are added later.
private struct DeliveryRow: RowReadable {
    let sequence: Int64
    var delivery: Delivery

    init(row: inout SQLRow) throws(Failure) {
        sequence = try row.read()
        delivery = Delivery(
            id: try row.read(), endpointID: try row.read(), webhookID: try row.read(), type: try row.read(), app: try row.read(),
            body: try row.read(), state: try row.read(), createdAt: try row.read(), nextAttemptAt: try row.read(), attempts: [])
    }
}

private struct AttemptRow: RowReadable {
    let delivery: Int64
    let attempt: Attempt

    init(row: inout SQLRow) throws(Failure) {
        delivery = try row.read()
        attempt = Attempt(
            at: try row.read(), durationMilliseconds: try row.read(), status: try row.read(), error: try row.read(),
            response: try row.read(), isManual: try row.read())
    }
}

extension SQLConnection {
    func delivery(_ id: DeliveryID) throws(Failure) -> Delivery? {
        try withAttempts(try deliveries(where: "d.id = ?", [SQLValue(id)])).first?.delivery
    }

    /// A pending delivery is due no earlier than the end of its endpoint's hold.
    fileprivate func deliveries(where condition: String, _ values: [SQLValue]) throws(Failure) -> [DeliveryRow] {
        try rows(deliveryQuery(where: condition), values, as: DeliveryRow.self)
    }

    /// Nil for each delivery that cannot be read.
    fileprivate func readableDeliveries(
        where condition: String, _ values: [SQLValue], unreadable: (Failure) -> Void
    ) throws(Failure) -> [DeliveryRow?] {
        try readableRows(deliveryQuery(where: condition), values, as: DeliveryRow.self, unreadable: unreadable)
    }

    private func deliveryQuery(where condition: String) -> String {
        """
        SELECT d.sequence, d.id, d.endpoint, d.event, e.type, e.app, e.body, d.state, d.created_at,
            CASE WHEN p.hold_until > d.next_attempt_at THEN p.hold_until ELSE d.next_attempt_at END
        FROM deliveries d JOIN events e ON e.id = d.event JOIN endpoints p ON p.id = d.endpoint WHERE \(condition)
        """
    }

    /// Adds the attempts of all deliveries, with one statement.
    fileprivate func withAttempts(_ deliveries: [DeliveryRow]) throws(Failure) -> [DeliveryRow] {
        guard !deliveries.isEmpty else { return [] }
        let attempts = try rows(
            """
            SELECT delivery, at, duration_ms, status, error, response, manual FROM attempts
            WHERE delivery IN (\(placeholders(deliveries.count))) ORDER BY delivery, sequence
            """, deliveries.map { .integer($0.sequence) }, as: AttemptRow.self)
        let byDelivery = Dictionary(grouping: attempts, by: \.delivery)
        return deliveries.map { row in
            var row = row
            row.delivery.attempts = (byDelivery[row.sequence] ?? []).map(\.attempt)
            return row
        }
    }
}
