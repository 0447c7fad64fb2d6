import Shortcuts

extension Store {
    package func record(
        _ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter milliseconds: Int64
    ) throws(Failure) {
        guard !outcomes.isEmpty else { return }
        try database.write { connection throws(Failure) in
            for outcome in outcomes { try connection.record(outcome, at: now, disableAfter: milliseconds) }
        }
    }
}

extension SQLConnection {
    fileprivate func record(
        _ outcome: DeliveryOutcome, at now: Timestamp, disableAfter milliseconds: Int64
    ) throws(Failure) {
        if let delivery = try settle(outcome) {
            try insert(outcome.attempt, of: delivery, isManual: false)
        } else if let resent = try settleResent(outcome, at: now) {
            try insert(outcome.attempt, of: resent.delivery, isManual: resent.isManual)
        } else {
            return
        }
        if let until = outcome.holdEndpointUntil { try hold(outcome.endpointID, until: until) }
        if case .delivered = outcome.next {
            try execute(
                "UPDATE endpoints SET failing_since = NULL WHERE id = ? AND failing_since IS NOT NULL",
                [.text(outcome.endpointID)])
        } else {
            let since = try failingSince(outcome.endpointID, failedAt: now)
            if outcome.disablesEndpoint {
                try disable(outcome.endpointID, as: .gone, at: now)
            } else if let since, now.milliseconds - since.milliseconds >= milliseconds {
                try disable(outcome.endpointID, as: .failing, at: now)
            }
        }
    }

    /// What was held or cancelled while the attempt ran is not tried again, but what came of the attempt is true.
    /// - Returns: the delivery's row; nil where the lease no longer holds or somebody asked for an attempt meanwhile.
    private func settle(_ outcome: DeliveryOutcome) throws(Failure) -> Int64? {
        let lease: [SQLValue] = [.text(outcome.deliveryID), .text(outcome.leaseToken)]
        let (change, values): (String, [SQLValue]) =
            switch outcome.next {
            case .delivered: ("state = 'delivered', next_attempt_at = NULL", [])
            case .exhausted: ("state = 'exhausted', next_attempt_at = NULL", [])
            case .retry(let time):
                ("next_attempt_at = CASE WHEN state = 'pending' THEN ? ELSE NULL END", [SQLValue(time)])
            }
        return try first(
            """
            UPDATE deliveries SET \(change), attempts_made = attempts_made + 1, lease_token = NULL, lease_expires_at = NULL
            WHERE id = ? AND lease_token = ? AND resend_from IS NULL AND resend_again = 0 RETURNING sequence
            """, values + lease
        ) { row throws(Failure) in try row.integer() }
    }

    private func insert(_ attempt: Attempt, of delivery: Int64, isManual: Bool) throws(Failure) {
        try execute(
            "INSERT INTO attempts (delivery, at, duration_ms, status, error, response, manual) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(delivery), SQLValue(attempt.at), .integer(attempt.durationMilliseconds),
                attempt.status.map { SQLValue($0) } ?? .null, SQLValue(attempt.error.map(withoutNUL)),
                SQLValue(attempt.response.map(withoutNUL)), SQLValue(isManual),
            ])
    }

    private func hold(_ endpoint: String, until time: Timestamp) throws(Failure) {
        try execute(
            "UPDATE endpoints SET hold_until = ? WHERE id = ? AND (hold_until IS NULL OR hold_until < ?)",
            [SQLValue(time), .text(endpoint), SQLValue(time)])
    }

    /// The first failure since the last success, this one if there was none.
    private func failingSince(_ endpoint: String, failedAt now: Timestamp) throws(Failure) -> Timestamp? {
        try first(
            "UPDATE endpoints SET failing_since = COALESCE(failing_since, ?) WHERE id = ? RETURNING failing_since",
            [SQLValue(now), .text(endpoint)]
        ) { row throws(Failure) in try row.time() }
    }

    private func disable(_ endpoint: String, as reason: Endpoint.DisabledReason, at now: Timestamp) throws(Failure) {
        let disabled = try execute(
            "UPDATE endpoints SET enabled = 0, disabled_reason = ?, disabled_at = ? WHERE id = ? AND enabled = 1",
            [.text(reason.rawValue), SQLValue(now), .text(endpoint)])
        if disabled > 0 { try holdPending(for: endpoint) }
    }
}

/// What a stranger's server answers may hold U+0000, which a column of text cannot.
private func withoutNUL(_ text: String) -> String {
    text.replacing("\0", with: "\u{FFFD}")
}
