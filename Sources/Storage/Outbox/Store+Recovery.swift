import QuickActions
import SQL
import Shortcuts

extension Store {
    package func recover(_ endpoint: EndpointID, since: Timestamp?, by author: Author) throws(Failure) -> Int {
        try write { transaction throws(Failure) in
            let target = AuditTarget.webhook(try transaction.connection.requireEndpoint(endpoint))
            let recovered = try transaction.recover(endpoint, since: since, at: author.at)
            try transaction.log(AuditEntry(author: author, action: .webhookRecovered, target: target))
            return recovered
        }
    }

    package func skipHeld(of endpoint: EndpointID, by author: Author) throws(Failure) -> Int {
        try write { transaction throws(Failure) in
            let target = AuditTarget.webhook(try transaction.connection.requireEndpoint(endpoint))
            try transaction.connection.lockLeased(of: endpoint)
            let skipped = try transaction.connection.execute(
                "UPDATE deliveries SET state = 'cancelled', quarantined_at = NULL WHERE endpoint = ? AND state = 'held'",
                [SQLValue(endpoint)])
            // Later deliveries of an ordered endpoint may now be due.
            if skipped > 0 { transaction.effects.hasQueuedDeliveries = true }
            try transaction.log(AuditEntry(author: author, action: .webhookSkipped, target: target))
            return skipped
        }
    }
}

extension Transaction {
    /// Makes the exhausted and held deliveries due again, at the start of their retry schedules.
    /// - Returns: the number of deliveries.
    mutating func recover(_ endpoint: EndpointID, since: Timestamp?, at now: Timestamp) throws(Failure) -> Int {
        try connection.lockLeased(of: endpoint)
        let recovered = try connection.execute(
            """
            UPDATE deliveries SET state = 'pending', next_attempt_at = ?, attempts_made = 0, resend_from = NULL,
                resend_resumes_at = NULL, quarantined_at = NULL
            WHERE endpoint = ? AND state IN ('exhausted', 'held') AND created_at >= ?
            """, [.integer(now.milliseconds + firstAttemptDelay), SQLValue(endpoint), .integer(since?.milliseconds ?? .min)])
        if recovered > 0 { effects.hasQueuedDeliveries = true }
        return recovered
    }
}
