import QuickActions
import Shortcuts
import Synchronization

/// A delivery queue in memory with injected failures. It passes the same contract tests as the store (`QueueContractTests`).
final class MemoryQueue: DeliveryQueue {
    struct Row: Sendable {
        let id: DeliveryID
        let endpointID: EndpointID
        let event: Event
        var state: Delivery.State
        var due: Timestamp
        var lease: Lease?
        var attempts: [Attempt] = []
        var attemptsMade = 0
    }

    struct Lease: Sendable {
        let token: String
        let until: Timestamp
    }

    struct State: Sendable {
        var endpoints: [EndpointID: Endpoint] = [:]
        /// The end of each endpoint's hold: no attempt before this time.
        var holds: [EndpointID: Timestamp] = [:]
        /// The first failure since the last success, by endpoint.
        var failingSince: [EndpointID: Timestamp] = [:]
        /// In the order of their arrival.
        var rows: [Row] = []
        var claims = 0

        /// How many of the next calls fail with `storageUnavailable`.
        var recordFailures = 0
        var claimFailures = 0
        /// Deliveries whose outcomes cannot be recorded.
        var unrecordable: Set<DeliveryID> = []

        /// The maximum of concurrent leases of an endpoint.
        var mostLeased = 0
        /// How often a dead process's leases were voided, and how many deliveries were released.
        var released = 0
        var givenBack = 0
    }

    let state = Mutex(State())

    func releaseAbandonedLeases(at now: Timestamp) throws(Failure) {
        state.withLock { state in
            state.released += 1
            state.releaseLeases { _ in true }
        }
    }

    /// For a single node: no other one has a lease.
    func claimDue(
        at now: Timestamp, limit: Int, perEndpoint: Int, ahead: Int, lease milliseconds: Int64
    ) throws(Failure) -> [ClaimedDelivery] {
        try state.withLock { state throws(Failure) in
            try Self.fail(&state.claimFailures)
            return state.claimDue(at: now, limit: limit, perEndpoint: max(perEndpoint, ahead), until: now.later(milliseconds))
        }
    }

    func record(_ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter milliseconds: Int64) throws(Failure) {
        try state.withLock { state throws(Failure) in
            try Self.fail(&state.recordFailures)
            guard !outcomes.contains(where: { state.unrecordable.contains($0.deliveryID) }) else { throw Failure(.internalError, "No.") }
            for outcome in outcomes { state.record(outcome, at: now, disableAfter: milliseconds) }
        }
    }

    func quarantine(_ leases: [DeliveryLease], because failure: Failure, at now: Timestamp) throws(Failure) {
        state.withLock { state in
            for lease in leases {
                let index = state.rows.firstIndex { $0.id == lease.deliveryID && $0.lease?.token == lease.token }
                guard let index, [.pending, .held].contains(state.rows[index].state) else { continue }
                (state.rows[index].state, state.rows[index].lease) = (.held, nil)
            }
        }
    }

    func release(_ leases: [DeliveryLease], at now: Timestamp, tellingOthers: Bool) throws(Failure) {
        state.withLock { state in
            let leases = Set(leases)
            state.givenBack += state.releaseLeases { row in
                row.lease.map { leases.contains(DeliveryLease(deliveryID: row.id, token: $0.token)) } ?? false
            }
        }
    }

    func nextDue() throws(Failure) -> Timestamp? {
        state.withLock { $0.nextDue }
    }

    func backlog() throws(Failure) -> Backlog {
        state.withLock { state in
            let pending = state.rows.filter { $0.state == .pending }
            return Backlog(pending: pending.count, oldest: pending.map(\.event.occurredAt).min())
        }
    }

    private static func fail(_ failures: inout Int) throws(Failure) {
        guard failures > 0 else { return }
        failures -= 1
        throw Failure(.storageUnavailable, "No.")
    }
}

/// Test input and inspection.
extension MemoryQueue {
    func add(_ endpoint: Endpoint) { state.withLock { $0.endpoints[endpoint.id] = endpoint } }

    /// Adds a delivery that is due when the event happened.
    /// - Parameter leased: whether a dead process has a lease.
    func add(_ event: Event, to endpoint: EndpointID, id: DeliveryID, leased: Bool = false) {
        let lease = leased ? Lease(token: "dead", until: event.occurredAt.later(600_000)) : nil
        state.withLock { state in
            let isEnabled = state.endpoints[endpoint]?.enabled ?? false
            state.rows.append(
                Row(
                    id: id, endpointID: endpoint, event: event, state: isEnabled ? .pending : .held, due: event.occurredAt, lease: lease))
        }
    }

    func row(_ id: DeliveryID) -> Row? { rows.first { $0.id == id } }
    var rows: [Row] { state.withLock { $0.rows } }
}

extension Timestamp {
    func later(_ more: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + more) }
}
