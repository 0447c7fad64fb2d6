import Shortcuts

extension Store {
    package func recover(_ endpoint: String, since: Timestamp?, by author: Author) throws(Failure) -> Int {
        try write { transaction throws(Failure) in
            _ = try transaction.connection.requireEndpoint(endpoint)
            let due = author.at.milliseconds + transaction.firstAttemptDelay
            let recovered = try transaction.connection.execute(
                """
                UPDATE deliveries SET state = 'pending', next_attempt_at = ?, attempts_made = 0, resend_from = NULL,
                    resend_resumes_at = NULL
                WHERE endpoint = ? AND state IN ('exhausted', 'held') AND created_at >= ?
                """, [.integer(due), .text(endpoint), .integer(since?.milliseconds ?? .min)])
            if recovered > 0 { transaction.effects.hasQueuedDeliveries = true }
            try transaction.log(AuditEntry(author: author, action: .webhookRecovered))
            return recovered
        }
    }

    package func rotateSecret(
        of endpoint: String, to secret: String, keepingFormerUntil end: Timestamp, by author: Author
    ) throws(Failure) {
        try write { transaction throws(Failure) in
            let keepsFormer = end > author.at
            let rotated = try transaction.connection.execute(
                """
                UPDATE endpoints SET previous_secret = CASE WHEN ? = 1 THEN secret ELSE NULL END,
                    previous_secret_expires_at = ?, secret = ? WHERE id = ?
                """, [SQLValue(keepsFormer), SQLValue(keepsFormer ? end : nil), .text(secret), .text(endpoint)])
            guard rotated > 0 else { throw .unknownEndpoint(endpoint) }
            transaction.effects.changedEndpoints.insert(endpoint)
            try transaction.log(AuditEntry(author: author, action: .webhookSecretRotated))
        }
    }
}
