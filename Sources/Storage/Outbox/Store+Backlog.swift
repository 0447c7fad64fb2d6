import QuickActions
import SQL
import Shortcuts

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
