import Shortcuts

extension Store {
    package func nextDue() throws(Failure) -> Timestamp? {
        try database.read { connection throws(Failure) in
            let lanes = try connection.upcoming()
            let lease = try connection.nextLeaseEnd()
            return (lanes + (lease.map { [$0] } ?? [])).min()
        }
    }

    package func backlog() throws(Failure) -> Backlog {
        try database.read { connection throws(Failure) in
            try connection.first("SELECT COUNT(*), MIN(created_at) FROM deliveries WHERE state = 'pending'", []) {
                row throws(Failure) in Backlog(pending: Int(try row.integer()), oldest: try row.optionalTime())
            } ?? Backlog(pending: 0, oldest: nil)
        }
    }
}

extension SQLConnection {
    /// When each enabled endpoint can next be sent something that is not under way. An ordered one with an attempt under
    /// way waits for its outcome.
    fileprivate func upcoming() throws(Failure) -> [Timestamp] {
        let leases = try leases()
        return try rows(
            """
            SELECT e.id, e.ordered, e.hold_until,
                (SELECT d.next_attempt_at FROM deliveries d
                 WHERE d.endpoint = e.id AND d.state = 'pending' AND d.lease_token IS NULL
                 ORDER BY d.next_attempt_at LIMIT 1),
                (SELECT d.next_attempt_at FROM deliveries d
                 WHERE d.endpoint = e.id AND d.state = 'pending' ORDER BY d.sequence LIMIT 1)
            FROM endpoints e WHERE e.enabled = 1
            """, []
        ) { row throws(Failure) in
            let (id, isOrdered, hold) = (try row.text(), try row.flag(), try row.optionalTime())
            let (earliest, oldest) = (try row.optionalTime(), try row.optionalTime())
            let due = isOrdered ? (leases[id] == nil ? oldest : nil) : earliest
            return due.map { max($0, hold ?? $0) }
        }.compactMap { $0 }
    }

    /// When the first lease ends whose outcome has not been recorded.
    fileprivate func nextLeaseEnd() throws(Failure) -> Timestamp? {
        try first(
            """
            SELECT MIN(d.lease_expires_at) FROM deliveries d JOIN endpoints e ON e.id = d.endpoint
            WHERE d.lease_token IS NOT NULL AND d.lease_expires_at > ? AND d.state = 'pending' AND e.enabled = 1
            """, [.integer(0)]
        ) { row throws(Failure) in try row.optionalTime() } ?? nil
    }
}
