import QuickActions
import SQL
import Shortcuts

extension Store {
    package func resend(_ id: DeliveryID, by author: Author) throws(Failure) -> Delivery {
        try write { transaction throws(Failure) in
            guard try transaction.connection.requestAttempt(on: id, at: author.at), let delivery = try transaction.connection.delivery(id)
            else { throw .unknownDelivery(id) }
            transaction.effects.hasQueuedDeliveries = true
            try transaction.log(AuditEntry(author: author, action: .deliveryResent))
            return delivery
        }
    }
}

/// Manual attempts (resends), kept on the delivery's row beside its former state. Where the attempt fails, the former state is
/// restored and the retry schedule goes on.
extension SQLConnection {
    /// Requests one attempt now, or after the attempt that is in flight.
    /// - Returns: whether there is such a delivery.
    func requestAttempt(on id: DeliveryID, at now: Timestamp) throws(Failure) -> Bool {
        let isUnderWay = try execute(
            "UPDATE deliveries SET resend_again = 1 WHERE id = ? AND lease_token IS NOT NULL", [SQLValue(id)])
        if isUnderWay > 0 { return true }
        // Two requests before the attempt begins make one attempt.
        return try execute(
            """
            UPDATE deliveries SET resend_from = CASE WHEN state = 'pending' THEN COALESCE(resend_from, state) ELSE state END,
                resend_resumes_at = CASE WHEN state = 'pending' AND resend_from IS NOT NULL THEN resend_resumes_at
                    ELSE next_attempt_at END,
                resend_again = 0, state = 'pending', next_attempt_at = ?
            WHERE id = ?
            """, [SQLValue(now), SQLValue(id)]) > 0
    }

    /// Ends the lease of a manual attempt, or of an attempt behind which a resend was requested.
    /// - Returns: whether the attempt was manual; nil where the lease is no longer valid.
    func completeResend(_ outcome: DeliveryOutcome, at now: Timestamp) throws(Failure) -> Bool? {
        let found = try first(
            """
            SELECT sequence, state, next_attempt_at, resend_from, resend_resumes_at, resend_again FROM deliveries
            WHERE id = ? AND lease_token = ?
            """, [SQLValue(outcome.deliveryID), .text(outcome.leaseToken)], as: ResentDelivery.self)
        guard let found else { return nil }
        let after = found.state(after: outcome, at: now)
        try execute(
            """
            UPDATE deliveries SET state = ?, next_attempt_at = ?, attempts_made = attempts_made + ?, lease_token = NULL,
                lease_expires_at = NULL, resend_from = NULL, resend_resumes_at = NULL, resend_again = 0 WHERE sequence = ?
            """,
            [
                .text(after.state.rawValue), SQLValue(after.next), .integer(found.isManual ? 0 : 1),
                .integer(found.sequence),
            ])
        if found.isAskedAgain { _ = try requestAttempt(on: outcome.deliveryID, at: now) }
        return found.isManual
    }
}

/// A leased delivery with a manual attempt, in flight or requested.
private struct ResentDelivery: RowReadable {
    let sequence: Int64
    let state: Delivery.State
    let next: Timestamp?
    /// The state when the attempt was requested; nil where the attempt in flight is the schedule's.
    let from: Delivery.State?
    let resumesAt: Timestamp?
    let isAskedAgain: Bool

    var isManual: Bool { from != nil }

    init(row: inout SQLRow) throws(Failure) {
        (sequence, state, next) = (try row.read(), try row.read(), try row.read())
        (from, resumesAt, isAskedAgain) = (try row.read(), try row.read(), try row.read())
    }

    func state(after outcome: DeliveryOutcome, at now: Timestamp) -> (state: Delivery.State, next: Timestamp?) {
        switch (outcome.next, from) {
        case (.delivered, _): return (.delivered, nil)
        case (.exhausted, nil): return (.exhausted, nil)
        case (.retry(let time), nil): return (state, state == .pending ? time : nil)
        case (.retry, let former?), (.exhausted, let former?):
            // It was held or cancelled during the attempt and stays so.
            guard state == .pending else { return (state, nil) }
            guard former == .pending else { return (former, nil) }
            return outcome.disablesEndpoint ? (.exhausted, nil) : (.pending, resumesAt ?? now)
        }
    }
}
