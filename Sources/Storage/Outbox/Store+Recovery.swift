import QuickActions
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

extension Store {
    package func quarantine(_ leases: [DeliveryLease], because failure: Failure, at now: Timestamp) throws(Failure) {
        try write { transaction throws(Failure) in
            for lease in leases {
                let held = try transaction.connection.execute(
                    """
                    UPDATE deliveries SET state = 'held', next_attempt_at = NULL, quarantined_at = ?, lease_token = NULL, lease_node = NULL,
                        lease_expires_at = NULL, resend_from = NULL, resend_resumes_at = NULL, resend_again = 0
                    WHERE id = ? AND lease_token = ? AND state IN ('pending', 'held')
                    """, [SQLValue(now), SQLValue(lease.deliveryID), .text(lease.token)])
                guard held > 0 else { continue }
                transaction.effects.notices.append(
                    .quarantined(
                        QuarantinedEntry(
                            kind: .delivery, id: lease.deliveryID.description, app: nil, cause: failure.cause ?? failure.detail)))
            }
        }
        membership.letGo(leases)
    }

    /// Retries everything that is quarantined: the program that now starts may be a version that can read it.
    package func retryQuarantined(at now: Timestamp) throws(Failure) {
        guard try quarantined().values.contains(where: { $0 > 0 }) else { return }
        try write { transaction throws(Failure) in
            try transaction.connection.execute("UPDATE schedule SET quarantined_at = NULL WHERE quarantined_at IS NOT NULL", [])
            try transaction.connection.execute(
                """
                UPDATE deliveries SET state = 'pending', next_attempt_at = ?, quarantined_at = NULL
                WHERE quarantined_at IS NOT NULL AND state = 'held' AND lease_token IS NULL
                """, [SQLValue(now)])
            transaction.effects.hasScheduled = true
            transaction.effects.hasQueuedDeliveries = true
        }
    }

    /// The number of quarantined entries.
    package func quarantined() throws(Failure) -> [QuarantinedEntry.Kind: Int] {
        try database.read { connection throws(Failure) in
            let queries = ["schedule", "deliveries"].map { "SELECT COUNT(*) FROM \($0) WHERE quarantined_at IS NOT NULL" }
            let counts = try connection.rows(together: queries.map { ($0, []) })
            return [
                .schedule: try counts.first?.first?.value(as: Int.self) ?? 0, .delivery: try counts.last?.first?.value(as: Int.self) ?? 0,
            ]
        }
    }
}

extension Store {
    package func resend(_ id: DeliveryID, by author: Author) throws(Failure) -> Delivery {
        try write { transaction throws(Failure) in
            guard try transaction.connection.requestAttempt(on: id, at: author.at), let delivery = try transaction.connection.delivery(id)
            else { throw .unknownDelivery(id) }
            transaction.effects.hasQueuedDeliveries = true
            try transaction.log(AuditEntry(author: author, action: .deliveryResent, target: .delivery(delivery)))
            return delivery
        }
    }
}

/// Manual attempts (resends). They are stored in the delivery's row beside its previous state. If the attempt fails, the previous state is
/// restored and the retry schedule continues.
extension SQLConnection {
    /// Requests one attempt now, or after the attempt in flight.
    /// - Returns: whether the delivery exists.
    func requestAttempt(on id: DeliveryID, at now: Timestamp) throws(Failure) -> Bool {
        let isUnderWay = try execute(
            "UPDATE deliveries SET resend_again = 1 WHERE id = ? AND lease_token IS NOT NULL", [SQLValue(id)])
        if isUnderWay > 0 { return true }
        // Two requests before the attempt starts make one attempt.
        return try execute(
            """
            UPDATE deliveries SET resend_from = CASE WHEN state = 'pending' THEN COALESCE(resend_from, state) ELSE state END,
                resend_resumes_at = CASE WHEN state = 'pending' AND resend_from IS NOT NULL THEN resend_resumes_at
                    ELSE next_attempt_at END,
                resend_again = 0, state = 'pending', next_attempt_at = ?, quarantined_at = NULL
            WHERE id = ?
            """, [SQLValue(now), SQLValue(id)]) > 0
    }
}
