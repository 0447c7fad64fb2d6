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
    /// The state when the attempt was requested; nil where the attempt is the schedule's.
    private let from: Delivery.State?
    private let resumesAt: Timestamp?
    /// Whether another attempt was asked for meanwhile.
    let isAskedAgain: Bool

    static let columns =
        "sequence, id, event, attempts_made, lease_token, state, next_attempt_at, resend_from, resend_resumes_at, resend_again"

    init(row: inout SQLRow) throws(Failure) {
        (sequence, id, event) = (try row.read(), try row.read(), try row.read())
        (attemptsMade, token, state) = (try row.read(), try row.read(), try row.read())
        (next, from, resumesAt) = (try row.read(), try row.read(), try row.read())
        isAskedAgain = try row.read()
    }

    /// Whether somebody asked for the attempt, outside the schedule.
    var isManual: Bool { from != nil }

    /// Whether the outcome is of the lease that the delivery has.
    func isLeased(under outcome: DeliveryOutcome) -> Bool { token == outcome.leaseToken }

    /// As `SQLConnection.holdPending` does.
    mutating func hold() {
        if state == .pending { (state, next) = (.held, nil) }
    }

    /// A delivery that was held or cancelled during the attempt gets no retry.
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

/// An endpoint whose attempts have ended, and what they make of it.
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

    /// - Returns: why the outcome disables the endpoint; nil where it does not.
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
