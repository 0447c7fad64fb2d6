import QuickActions
import SQL
import Shortcuts

extension Store: DeliveryStore {
    private static let listing = Listing(name: "deliveries", start: [.integer(.max)])

    package func deliveries(
        to endpoint: EndpointID, in state: Delivery.State?, withBody: Bool, _ page: PageRequest
    ) throws(Failure) -> Page<Delivery> {
        let key = try Self.listing.key(page)
        let entries = try database.read { connection throws(Failure) in
            // Each state is read along its index and only as far as the part can reach.
            var rows: [DeliveryRow] = []
            for state in state.map({ [$0] }) ?? Delivery.State.allCases {
                rows += try connection.deliveries(
                    where: "d.endpoint = ? AND d.state = ? AND d.sequence < ? ORDER BY d.sequence DESC LIMIT ?",
                    [SQLValue(endpoint), .text(state.rawValue)] + key + [SQLValue(page.limit + 1)], withBody: withBody)
            }
            return try connection.withAttempts(Array(rows.sorted { $0.sequence > $1.sequence }.prefix(page.limit + 1)))
        }
        return Self.listing.page(
            entries.map { Listing.Entry(element: $0.delivery, key: [.integer($0.sequence)]) }, limit: page.limit)
    }

    package func delivery(_ id: DeliveryID) throws(Failure) -> Delivery? {
        try database.read { connection throws(Failure) in try connection.delivery(id) }
    }
}

/// A delivery before its attempts are known.
struct DeliveryRow {
    let sequence: Int64
    fileprivate let make: ([Attempt]) -> Delivery
}

extension SQLConnection {
    func delivery(_ id: DeliveryID) throws(Failure) -> Delivery? {
        try withAttempts(try deliveries(where: "d.id = ?", [SQLValue(id)])).first?.delivery
    }

    /// What is pending is due when the endpoint's hold is over, too.
    fileprivate func deliveries(
        where condition: String, _ values: [SQLValue], withBody: Bool = false
    ) throws(Failure) -> [DeliveryRow] {
        try rows(
            """
            SELECT d.sequence, d.id, d.endpoint, d.event, e.type, e.app, \(withBody ? "e.body" : "NULL"), d.state, d.created_at,
                CASE WHEN p.hold_until > d.next_attempt_at THEN p.hold_until ELSE d.next_attempt_at END
            FROM deliveries d JOIN events e ON e.id = d.event JOIN endpoints p ON p.id = d.endpoint WHERE \(condition)
            """, values
        ) { row throws(Failure) in
            let (sequence, id) = (try row.integer(), DeliveryID(try row.text()))
            let (endpoint, event) = (EndpointID(try row.text()), EventID(try row.text()))
            let (type, app) = (try row.parsed(EventType.init(rawValue:)), try row.optionallyParsed(AppID.init))
            let (body, state) = (try row.optionalText(), try row.parsed(Delivery.State.init(rawValue:)))
            let (createdAt, next) = (try row.time(), try row.optionalTime())
            return DeliveryRow(sequence: sequence) { attempts in
                Delivery(
                    id: id, endpointID: endpoint, webhookID: event, type: type, app: app, body: body, state: state,
                    createdAt: createdAt, nextAttemptAt: next, attempts: attempts)
            }
        }
    }

    /// The attempts of all of them in one statement.
    fileprivate func withAttempts(_ deliveries: [DeliveryRow]) throws(Failure) -> [(sequence: Int64, delivery: Delivery)] {
        guard !deliveries.isEmpty else { return [] }
        let attempts = try rows(
            """
            SELECT delivery, at, duration_ms, status, error, response, manual FROM attempts
            WHERE delivery IN (\(placeholders(deliveries.count))) ORDER BY delivery, sequence
            """, deliveries.map { .integer($0.sequence) }
        ) { row throws(Failure) in (delivery: try row.integer(), attempt: try Attempt(&row)) }
        let byDelivery = Dictionary(grouping: attempts, by: \.delivery)
        return deliveries.map { ($0.sequence, $0.make((byDelivery[$0.sequence] ?? []).map(\.attempt))) }
    }
}

extension Attempt {
    /// The columns at, duration_ms, status, error, response, manual.
    fileprivate init(_ row: inout SQLRow) throws(Failure) {
        self.init(
            at: try row.time(), durationMilliseconds: try row.integer(), status: try row.optionalInteger().map { Int($0) },
            error: try row.optionalText(), response: try row.optionalText(), isManual: try row.flag())
    }
}
