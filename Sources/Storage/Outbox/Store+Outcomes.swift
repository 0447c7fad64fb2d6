import QuickActions
import SQL
import Shortcuts

extension Store {
    package func record(
        _ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter milliseconds: Int64
    ) throws(Failure) {
        guard !outcomes.isEmpty else { return }
        try write { transaction throws(Failure) in
            let connection = transaction.connection
            // Endpoints whose failure window was closed in this batch: it is not closed again for each success.
            var healthy: Set<EndpointID> = []
            for outcome in outcomes {
                guard let isManual = try connection.complete(outcome) ? false : connection.completeResend(outcome, at: now) else {
                    continue
                }
                try connection.insert(outcome, isManual: isManual)
                if case .exhausted = outcome.next, !isManual, let exhausted = try connection.exhausted(by: outcome) {
                    transaction.effects.notices.append(.deliveryExhausted(exhausted))
                }
                if let until = outcome.holdEndpointUntil { try connection.hold(outcome.endpointID, until: until) }
                if case .delivered = outcome.next {
                    if healthy.insert(outcome.endpointID).inserted { try connection.closeFailureWindow(of: outcome.endpointID) }
                } else {
                    healthy.remove(outcome.endpointID)
                    if let reason = try connection.recordFailure(outcome, at: now, disableAfter: milliseconds) {
                        transaction.effects.changedEndpoints.insert(outcome.endpointID)
                        transaction.effects.notices.append(.endpointDisabled(outcome.endpointID, reason, by: nil))
                    }
                }
            }
        }
    }
}

extension SQLConnection {
    /// Ends the lease with the outcome. A delivery that was held or cancelled during the attempt gets no retry.
    /// - Returns: false where the lease is no longer valid, or where a resend was requested (`completeResend`).
    fileprivate func complete(_ outcome: DeliveryOutcome) throws(Failure) -> Bool {
        let lease: [SQLValue] = [SQLValue(outcome.deliveryID), .text(outcome.leaseToken)]
        let (change, values): (String, [SQLValue]) =
            switch outcome.next {
            case .delivered: ("state = 'delivered', next_attempt_at = NULL", [])
            case .exhausted: ("state = 'exhausted', next_attempt_at = NULL", [])
            case .retry(let time):
                ("next_attempt_at = CASE WHEN state = 'pending' THEN ? ELSE NULL END", [SQLValue(time)])
            }
        return try execute(
            """
            UPDATE deliveries SET \(change), attempts_made = attempts_made + 1, lease_token = NULL, lease_expires_at = NULL
            WHERE id = ? AND lease_token = ? AND resend_from IS NULL AND resend_again = 0
            """, values + lease) == 1
    }

    fileprivate func insert(_ outcome: DeliveryOutcome, isManual: Bool) throws(Failure) {
        let attempt = outcome.attempt
        try execute(
            """
            INSERT INTO attempts (delivery, at, duration_ms, status, error, response, manual)
            SELECT sequence, ?, ?, ?, ?, ?, ? FROM deliveries WHERE id = ?
            """,
            [
                SQLValue(attempt.at), .integer(attempt.durationMilliseconds), attempt.status.map { SQLValue($0) } ?? .null,
                SQLValue(attempt.error.map(withoutNUL)), SQLValue(attempt.response.map(withoutNUL)), SQLValue(isManual),
                SQLValue(outcome.deliveryID),
            ])
    }

    fileprivate func closeFailureWindow(of endpoint: EndpointID) throws(Failure) {
        try execute("UPDATE endpoints SET failing_since = NULL WHERE id = ? AND failing_since IS NOT NULL", [SQLValue(endpoint)])
    }

    /// The notice about a delivery that this outcome has exhausted.
    fileprivate func exhausted(by outcome: DeliveryOutcome) throws(Failure) -> ExhaustedDelivery? {
        try rows(
            "SELECT d.event, e.type, e.app, d.attempts_made FROM deliveries d JOIN events e ON e.id = d.event WHERE d.id = ?",
            [SQLValue(outcome.deliveryID)]
        ) { row throws(Failure) in
            ExhaustedDelivery(
                id: outcome.deliveryID, endpointID: outcome.endpointID, webhookID: try row.read(), type: try row.read(),
                app: try row.read(), attempts: try row.read(), status: outcome.attempt.status, error: outcome.attempt.error)
        }.first
    }

    /// Opens or extends the failure window.
    /// - Returns: why the failure disabled the endpoint; nil where it did not.
    fileprivate func recordFailure(
        _ outcome: DeliveryOutcome, at now: Timestamp, disableAfter milliseconds: Int64
    ) throws(Failure) -> Endpoint.DisabledReason? {
        let since = try failingSince(outcome.endpointID, failedAt: now)
        if outcome.disablesEndpoint { return try disable(outcome.endpointID, as: .gone, at: now) }
        guard let since, now.milliseconds - since.milliseconds >= milliseconds else { return nil }
        return try disable(outcome.endpointID, as: .failing, at: now)
    }

    fileprivate func hold(_ endpoint: EndpointID, until time: Timestamp) throws(Failure) {
        try execute(
            "UPDATE endpoints SET hold_until = ? WHERE id = ? AND (hold_until IS NULL OR hold_until < ?)",
            [SQLValue(time), SQLValue(endpoint), SQLValue(time)])
    }

    /// The time of the first failure since the last success, which may be this one.
    private func failingSince(_ endpoint: EndpointID, failedAt now: Timestamp) throws(Failure) -> Timestamp? {
        try first(
            "UPDATE endpoints SET failing_since = COALESCE(failing_since, ?) WHERE id = ? RETURNING failing_since",
            [SQLValue(now), SQLValue(endpoint)], as: Timestamp.self)
    }

    private func disable(_ endpoint: EndpointID, as reason: Endpoint.DisabledReason, at now: Timestamp) throws(Failure) -> Endpoint
        .DisabledReason?
    {
        let disabled = try execute(
            "UPDATE endpoints SET enabled = 0, disabled_reason = ?, disabled_at = ? WHERE id = ? AND enabled = 1",
            [.text(reason.rawValue), SQLValue(now), SQLValue(endpoint)])
        guard disabled > 0 else { return nil }
        try holdPending(for: endpoint)
        return reason
    }
}

/// Replaces U+0000, which a TEXT column of PostgreSQL cannot hold, by U+FFFD. It compares bytes: a search by `Character` takes
/// milliseconds for an answer of 16 KiB, and every writer waits for it.
private func withoutNUL(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        if byte == 0 { bytes += "\u{FFFD}".utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
}
