import QuickActions
import Shortcuts

extension Store {
    /// Outcomes that are neither logged nor sent to other nodes need no fsync: after a power failure the attempt is repeated under the same
    /// webhook id.
    package func record(
        _ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter milliseconds: Int64
    ) throws(Failure) {
        guard !outcomes.isEmpty else { return }
        try write(outcomes, at: now, disableAfter: milliseconds)
        membership.letGo(outcomes.map { DeliveryLease(deliveryID: $0.deliveryID, token: $0.leaseToken) })
    }

    private func write(_ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter milliseconds: Int64) throws(Failure) {
        if !outcomes.contains(where: \.isTold) {
            let isRecorded = try database.writeUnsynced(.free) { connection throws(Failure) in
                var batch = OutcomeBatch(outcomes, at: now, disableAfter: milliseconds)
                try batch.readEndpoints(on: connection)
                // An endpoint may have to be disabled, which other nodes must know.
                guard !batch.mayDisable else { return false }
                try batch.record(on: connection)
                return true
            }
            if isRecorded { return }
        }
        try write { transaction throws(Failure) in
            var batch = OutcomeBatch(outcomes, at: now, disableAfter: milliseconds)
            try batch.readEndpoints(on: transaction.connection)
            try batch.record(on: transaction.connection)
            transaction.effects.changedEndpoints.formUnion(batch.disabled)
            transaction.effects.notices += batch.notices
            for id in batch.disabled.sorted() {
                // An endpoint is disabled even if it cannot be read.
                let endpoint = try transaction.connection.readableEndpoints(
                    where: "id = ?", [SQLValue(id)], unreadable: transaction.noteUnreadable
                ).compactMap { $0 }.first
                if let endpoint { try transaction.announceDisabling(of: endpoint, by: .service(at: now)) }
                let target = endpoint.map { AuditTarget.webhook($0) } ?? AuditTarget(kind: .webhook, id: id.description, name: nil)
                try transaction.connection.insert(AuditEntry(author: .service(at: now), action: .webhookDisabled, target: target))
            }
        }
    }
}

extension DeliveryOutcome {
    /// Whether the outcome is logged or sent to other nodes.
    fileprivate var isTold: Bool {
        if case .exhausted = next { return true }
        return disablesEndpoint
    }
}

/// The outcomes that one transaction records. Every such transaction locks rows in the same order: endpoints by id, then deliveries by
/// sequence.
private struct OutcomeBatch {
    private let outcomes: [DeliveryOutcome]
    private let now: Timestamp
    private let disableAfter: Int64
    private var endpoints: [EndpointID: AttemptedEndpoint] = [:]
    /// The deliveries without an outcome yet, by id.
    private var deliveries: [DeliveryID: AttemptedDelivery] = [:]
    private var updates: [[SQLValue]] = []
    private var attempts: [[SQLValue]] = []
    private var askedAgain: [DeliveryID] = []
    private var exhausted: [(delivery: AttemptedDelivery, outcome: DeliveryOutcome)] = []
    private(set) var disabled: Set<EndpointID> = []
    private(set) var notices: [CommitNotice] = []

    init(_ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter: Int64) {
        self.outcomes = outcomes
        self.now = now
        self.disableAfter = disableAfter
    }

    /// Locks the endpoints if an outcome may change one of them.
    mutating func readEndpoints(on connection: any SQLConnection) throws(Failure) {
        let changes = outcomes.contains { $0.isFailure || $0.holdEndpointUntil != nil }
        try readEndpoints(on: connection, locking: changes)
        // A success ends the failure window.
        guard !changes, endpoints.values.contains(where: { $0.failingSince != nil }) else { return }
        try readEndpoints(on: connection, locking: true)
    }

    private mutating func readEndpoints(on connection: any SQLConnection, locking: Bool) throws(Failure) {
        for list in ValueList.lists(of: Set(outcomes.map(\.endpointID)).sorted().map { SQLValue($0) }) {
            let found = try connection.rows(
                """
                SELECT \(AttemptedEndpoint.columns) FROM endpoints WHERE id IN \(list.sql)
                ORDER BY id\(locking ? connection.locking(.waiting) : "")
                """, list.values, as: AttemptedEndpoint.self)
            for endpoint in found { endpoints[endpoint.id] = endpoint }
        }
    }

    /// Whether one of the outcomes may disable its endpoint.
    var mayDisable: Bool {
        outcomes.contains { outcome in
            guard outcome.isFailure, let endpoint = endpoints[outcome.endpointID], endpoint.isEnabled else { return false }
            return outcome.disablesEndpoint || now.milliseconds - (endpoint.failingSince ?? now).milliseconds >= disableAfter
        }
    }

    mutating func record(on connection: any SQLConnection) throws(Failure) {
        try readDeliveries(on: connection)
        for outcome in outcomes {
            // Only the first outcome of a lease counts, and only while the lease is current.
            guard let delivery = deliveries[outcome.deliveryID], delivery.isLeased(under: outcome) else { continue }
            deliveries[outcome.deliveryID] = nil
            add(outcome, of: delivery)
            if let reason = endpoints[outcome.endpointID]?.add(outcome, at: now, disableAfter: disableAfter) {
                try disable(outcome.endpointID, as: reason, on: connection)
            }
        }
        try write(on: connection)
        let changed = endpoints.values.filter(\.isChanged).sorted { $0.id < $1.id }
        try connection.executeEach(
            "UPDATE endpoints SET failing_since = ?, hold_until = ? WHERE id = ?",
            changed.map { [SQLValue($0.failingSince), SQLValue($0.holdUntil), SQLValue($0.id)] })
        try noteExhausted(on: connection)
    }

    private mutating func readDeliveries(on connection: any SQLConnection) throws(Failure) {
        for list in ValueList.lists(of: Set(outcomes.map(\.deliveryID)).sorted().map { SQLValue($0) }) {
            let found = try connection.rows(
                """
                SELECT \(AttemptedDelivery.columns) FROM deliveries WHERE id IN \(list.sql) AND lease_token IS NOT NULL
                ORDER BY sequence\(connection.locking(.waiting))
                """, list.values, as: AttemptedDelivery.self)
            for delivery in found { deliveries[delivery.id] = delivery }
        }
    }

    private mutating func add(_ outcome: DeliveryOutcome, of delivery: AttemptedDelivery) {
        let (after, attempt) = (delivery.state(after: outcome, at: now), outcome.attempt)
        updates.append([
            .text(after.state.rawValue), SQLValue(after.next), .integer(delivery.isManual ? 0 : 1), .integer(delivery.sequence),
            .text(outcome.leaseToken),
        ])
        attempts.append([
            .integer(delivery.sequence), SQLValue(attempt.at), .integer(attempt.durationMilliseconds),
            attempt.status.map { SQLValue($0) } ?? .null, SQLValue(attempt.error.map(withoutNUL)),
            SQLValue(attempt.response.map(withoutNUL)), SQLValue(delivery.isManual),
        ])
        if delivery.isAskedAgain { askedAgain.append(outcome.deliveryID) }
        if case .exhausted = outcome.next, !delivery.isManual { exhausted.append((delivery, outcome)) }
    }

    /// Writes the outcomes so far.
    private mutating func write(on connection: any SQLConnection) throws(Failure) {
        guard !updates.isEmpty else { return }
        try connection.executeEach(
            """
            UPDATE deliveries SET state = ?, next_attempt_at = ?, attempts_made = attempts_made + ?, lease_token = NULL, lease_node = NULL,
                lease_expires_at = NULL, resend_from = NULL, resend_resumes_at = NULL, resend_again = 0
            WHERE sequence = ? AND lease_token = ?
            """, updates)
        try connection.executeEach(
            "INSERT INTO attempts (delivery, at, duration_ms, status, error, response, manual) VALUES (?, ?, ?, ?, ?, ?, ?)", attempts)
        for id in askedAgain { _ = try connection.requestAttempt(on: id, at: now) }
        (updates, attempts, askedAgain) = ([], [], [])
    }

    /// Holds the pending deliveries: those in the database, and those with a later outcome in this batch.
    private mutating func disable(
        _ endpoint: EndpointID, as reason: Endpoint.DisabledReason, on connection: any SQLConnection
    ) throws(Failure) {
        try write(on: connection)
        try connection.execute(
            "UPDATE endpoints SET enabled = 0, disabled_reason = ?, disabled_at = ? WHERE id = ?",
            [.text(reason.rawValue), SQLValue(now), SQLValue(endpoint)])
        try connection.holdPending(for: endpoint)
        for outcome in outcomes where outcome.endpointID == endpoint { deliveries[outcome.deliveryID]?.hold() }
        disabled.insert(endpoint)
        notices.append(.endpointDisabled(endpoint, reason, by: nil))
    }

    /// Adds the notices about exhausted deliveries. They come before the notices about their consequences.
    private mutating func noteExhausted(on connection: any SQLConnection) throws(Failure) {
        var events: [EventID: (type: EventType, app: AppID?)] = [:]
        for list in ValueList.lists(of: Set(exhausted.map(\.delivery.event)).sorted().map { SQLValue($0) }) {
            let found = try connection.rows("SELECT id, type, app FROM events WHERE id IN \(list.sql)", list.values) {
                row throws(Failure) in (try row.read(EventID.self), try row.read(EventType.self), try row.read(AppID?.self))
            }
            for (id, type, app) in found { events[id] = (type, app) }
        }
        let told = exhausted.compactMap { delivery, outcome -> CommitNotice? in
            guard let event = events[delivery.event] else { return nil }
            return .deliveryExhausted(
                ExhaustedDelivery(
                    id: outcome.deliveryID, endpointID: outcome.endpointID, webhookID: delivery.event, type: event.type, app: event.app,
                    attempts: delivery.attemptsMade + 1, status: outcome.attempt.status, error: outcome.attempt.error))
        }
        notices = told + notices
    }
}

extension DeliveryOutcome {
    fileprivate var isFailure: Bool {
        if case .delivered = next { return false }
        return true
    }
}

/// Replaces U+0000, which a TEXT column of PostgreSQL cannot store, by U+FFFD. Compares bytes: a search by `Character` would take
/// milliseconds for an answer of 16 KiB while every writer waits.
private func withoutNUL(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        if byte == 0 { bytes += "\u{FFFD}".utf8 } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
}

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
        case (.retry, let previous?), (.exhausted, let previous?):
            // The delivery was held or cancelled during the attempt and keeps that state.
            guard state == .pending else { return (state, nil) }
            guard previous == .pending else { return (previous, nil) }
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
        return outcome.disablesEndpoint ? .removed : .failing
    }
}
