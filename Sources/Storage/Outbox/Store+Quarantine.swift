import QuickActions
import SQL
import Shortcuts

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
