import Shortcuts
import Synchronization

/// The queue in memory, faithful to the protocol's words.
final class MemoryQueue: DeliveryQueue {
    struct Row: Sendable {
        let id: String
        let endpointID: String
        let event: Event
        var state = Delivery.State.pending
        var due: Timestamp
        var lease: (token: String, until: Timestamp)?
        var attempts: [Attempt] = []
        var attemptsMade = 0
    }

    struct State: Sendable {
        var endpoints: [String: Endpoint] = [:]
        var holds: [String: Timestamp] = [:]
        var rows: [Row] = []
        var tokens = 0
        var recordFailures = 0
        var claimFailures = 0
        var recorded = 0
        var mostLeased = 0
        var released = 0
        var givenBack = 0
    }

    let state = Mutex(State())

    private func tryable(_ state: State, at now: Timestamp) -> [Int] {
        state.rows.indices.filter { index in
            let row = state.rows[index]
            guard row.state == .pending, state.endpoints[row.endpointID]?.enabled == true else { return false }
            if let lease = row.lease, lease.until > now { return false }
            return true
        }
    }

    private func due(_ row: Row, _ state: State) -> Timestamp {
        max(row.due, state.holds[row.endpointID] ?? row.due)
    }

    func release(_ leases: [DeliveryLease], at now: Timestamp) throws(Failure) {
        state.withLock { state in
            for lease in leases {
                guard let index = state.rows.firstIndex(where: { $0.id == lease.deliveryID && $0.lease?.token == lease.token }) else {
                    continue
                }
                state.rows[index].lease = nil
                state.givenBack += 1
            }
        }
    }

    func releaseAbandonedLeases(at now: Timestamp) throws(Failure) {
        state.withLock { state in
            state.released += 1
            for index in state.rows.indices { state.rows[index].lease = nil }
        }
    }

    func claimDue(at now: Timestamp, limit: Int, perEndpoint: Int, lease milliseconds: Int64) throws(Failure)
        -> [ClaimedDelivery]
    {
        let claimed: [ClaimedDelivery]? = state.withLock { state in
            if state.claimFailures > 0 {
                state.claimFailures -= 1
                return nil
            }
            var taken: [String: Int] = [:]
            for row in state.rows where row.state == .pending && (row.lease?.until).map({ $0 > now }) ?? false {
                taken[row.endpointID, default: 0] += 1
            }
            var claimed: [ClaimedDelivery] = []
            for index in tryable(state, at: now) where due(state.rows[index], state) <= now && claimed.count < limit {
                let row = state.rows[index]
                guard let endpoint = state.endpoints[row.endpointID],
                    taken[row.endpointID, default: 0] < (endpoint.ordered ? 1 : perEndpoint)
                else { continue }
                taken[row.endpointID, default: 0] += 1
                state.tokens += 1
                let token = "lease-\(state.tokens)"
                state.rows[index].lease = (token, now.later(milliseconds))
                claimed.append(
                    ClaimedDelivery(
                        id: row.id, leaseToken: token, endpoint: endpoint, event: row.event, attemptsMade: row.attemptsMade))
            }
            state.mostLeased = max(state.mostLeased, taken.values.max() ?? 0)
            return claimed
        }
        guard let claimed else { throw Failure(.storageUnavailable, "No.") }
        return claimed
    }

    func record(_ outcomes: [DeliveryOutcome], at now: Timestamp, disableAfter milliseconds: Int64) throws(Failure) {
        let isDone = state.withLock { state in
            if state.recordFailures > 0 {
                state.recordFailures -= 1
                return false
            }
            for outcome in outcomes {
                guard let index = state.rows.firstIndex(where: { $0.id == outcome.deliveryID && $0.lease?.token == outcome.leaseToken })
                else { continue }
                state.recorded += 1
                state.rows[index].lease = nil
                state.rows[index].attempts.append(outcome.attempt)
                state.rows[index].attemptsMade += 1
                switch outcome.next {
                case .delivered: state.rows[index].state = .delivered
                case .exhausted: state.rows[index].state = .exhausted
                case .retry(let at): state.rows[index].due = at
                }
                if let hold = outcome.holdEndpointUntil { state.holds[outcome.endpointID] = hold }
                if outcome.disablesEndpoint {
                    state.endpoints[outcome.endpointID]?.enabled = false
                    for other in state.rows.indices
                    where state.rows[other].endpointID == outcome.endpointID && state.rows[other].state == .pending {
                        state.rows[other].state = .held
                    }
                }
            }
            return true
        }
        guard isDone else { throw Failure(.storageUnavailable, "No.") }
    }

    func nextDue() throws(Failure) -> Timestamp? {
        state.withLock { state in
            tryable(state, at: Timestamp(milliseconds: .max)).filter { state.rows[$0].lease == nil }
                .map { due(state.rows[$0], state) }.min()
        }
    }

    func backlog() throws(Failure) -> Backlog {
        state.withLock { state in
            let pending = state.rows.filter { $0.state == .pending }
            return Backlog(pending: pending.count, oldest: pending.map(\.due).min())
        }
    }

    func add(_ endpoint: Endpoint) { state.withLock { $0.endpoints[endpoint.id] = endpoint } }

    func add(_ event: Event, to endpoint: String, id: String, leased: Bool = false) {
        let now = SystemClock().now()
        let lease = leased ? (token: "dead", until: now.later(600_000)) : nil
        state.withLock { $0.rows.append(Row(id: id, endpointID: endpoint, event: event, due: now, lease: lease)) }
    }

    func row(_ id: String) -> Row? { state.withLock { $0.rows.first { $0.id == id } } }
    var rows: [Row] { state.withLock { $0.rows } }
}

extension Timestamp {
    func later(_ more: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + more) }
}
