import QuickActions
import SQL
import Shortcuts

extension Store {
    package func recover(_ endpoint: EndpointID, since: Timestamp?, by author: Author) throws(Failure) -> Int {
        try write { transaction throws(Failure) in
            _ = try transaction.connection.requireEndpoint(endpoint)
            try transaction.connection.lockLeased(of: endpoint)
            let due = author.at.milliseconds + transaction.firstAttemptDelay
            let recovered = try transaction.connection.execute(
                """
                UPDATE deliveries SET state = 'pending', next_attempt_at = ?, attempts_made = 0, resend_from = NULL,
                    resend_resumes_at = NULL
                WHERE endpoint = ? AND state IN ('exhausted', 'held') AND created_at >= ?
                """, [.integer(due), SQLValue(endpoint), .integer(since?.milliseconds ?? .min)])
            if recovered > 0 { transaction.effects.hasQueuedDeliveries = true }
            try transaction.log(AuditEntry(author: author, action: .webhookRecovered))
            return recovered
        }
    }
}
