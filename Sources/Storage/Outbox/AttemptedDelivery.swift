import QuickActions
import SQL
import Shortcuts

/// A leased delivery whose attempt has ended.
struct AttemptedDelivery: RowReadable {
    let sequence: Int64
    let id: DeliveryID
    let event: EventID
    let attemptsMade: Int
    private let token: String
    private(set) var state: Delivery.State
    private var next: Timestamp?
    /// The state when the attempt was requested; nil if the retry schedule made the attempt.
    private let from: Delivery.State?
    private let resumesAt: Timestamp?
    /// Whether another attempt was requested in the meantime.
    let isAskedAgain: Bool

    static let columns =
        "sequence, id, event, attempts_made, lease_token, state, next_attempt_at, resend_from, resend_resumes_at, resend_again"

    init(row: inout SQLRow) throws(Failure) {
        (sequence, id, event) = (try row.read(), try row.read(), try row.read())
        (attemptsMade, token, state) = (try row.read(), try row.read(), try row.read())
        (next, from, resumesAt) = (try row.read(), try row.read(), try row.read())
        isAskedAgain = try row.read()
    }

    /// Whether the attempt was requested, outside the retry schedule.
    var isManual: Bool { from != nil }

    /// Whether the outcome belongs to the delivery's current lease.
    func isLeased(under outcome: DeliveryOutcome) -> Bool { token == outcome.leaseToken }

    /// See `SQLConnection.holdPending`.
    mutating func hold() {
        if state == .pending { (state, next) = (.held, nil) }
    }

    /// A delivery that was held or cancelled during the attempt is not retried.
    func state(after outcome: DeliveryOutcome, at now: Timestamp) -> (state: Delivery.State, next: Timestamp?) {
        switch (outcome.next, from) {
        case (.delivered, _): return (.delivered, nil)
        case (.exhausted, nil): return (.exhausted, nil)
        case (.retry(let time), nil): return (state, state == .pending ? time : nil)
        case (.retry, let former?), (.exhausted, let former?):
            // The delivery was held or cancelled during the attempt and keeps that state.
            guard state == .pending else { return (state, nil) }
            guard former == .pending else { return (former, nil) }
            return outcome.disablesEndpoint ? (.exhausted, nil) : (.pending, resumesAt ?? now)
        }
    }
}

/// An endpoint whose attempts have ended, with the effect of their outcomes on it.
struct AttemptedEndpoint: RowReadable {
    let id: EndpointID
    private(set) var isEnabled: Bool
    /// The time of the first failure since the last success.
    private(set) var failingSince: Timestamp?
    private(set) var holdUntil: Timestamp?
    private(set) var isChanged = false

    static let columns = "id, enabled, failing_since, hold_until"

    init(row: inout SQLRow) throws(Failure) {
        (id, isEnabled) = (try row.read(), try row.read())
        (failingSince, holdUntil) = (try row.read(), try row.read())
    }

    /// - Returns: the reason if the outcome disables the endpoint, else nil.
    mutating func add(
        _ outcome: DeliveryOutcome, at now: Timestamp, disableAfter milliseconds: Int64
    ) -> Endpoint.DisabledReason? {
        if let until = outcome.holdEndpointUntil, holdUntil.map({ $0 < until }) ?? true { (holdUntil, isChanged) = (until, true) }
        if case .delivered = outcome.next {
            if failingSince != nil { (failingSince, isChanged) = (nil, true) }
            return nil
        }
        let since = failingSince ?? now
        if failingSince == nil { (failingSince, isChanged) = (now, true) }
        let isFailing = now.milliseconds - since.milliseconds >= milliseconds
        guard isEnabled, outcome.disablesEndpoint || isFailing else { return nil }
        isEnabled = false
        return outcome.disablesEndpoint ? .gone : .failing
    }
}
