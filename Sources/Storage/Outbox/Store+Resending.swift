import QuickActions
import SQL
import Shortcuts

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
