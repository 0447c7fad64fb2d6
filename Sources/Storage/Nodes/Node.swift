import QuickActions
import Shortcuts
import Synchronization

extension Store {
    /// A process that uses the database beside others.
    package struct Node: Sendable {
        /// New with every start of the process.
        package let id: String
        /// `--node`: one among those that live.
        package let name: String
        package let version: String

        package init(id: String, name: String, version: String) {
            self.id = id
            self.name = name
            self.version = version
        }

        /// How often a node says that it lives.
        package static let heartbeatInterval = Duration.seconds(2)
        /// A node that was not seen for so many milliseconds has lost its leases.
        static let silence: Int64 = 15_000
        /// A node that was not seen for so many milliseconds is no longer listed.
        static let absence: Int64 = 20_000
        /// A node that was out of touch for so many milliseconds lets the others be seen again before it takes one for dead, and makes
        /// itself seen before it claims.
        static let outOfTouch: Int64 = 10_000
    }
}

/// What this process knows of itself as one of several nodes.
final class Membership: Sendable {
    private struct State {
        /// The last heartbeat that was committed; nil before the node has joined.
        var seenAt: Timestamp?
        /// Before this time no other node is taken for dead.
        var judgesFrom: Timestamp?
        var hasLeft = false
        /// Milliseconds, of the last claim.
        var leaseLength: Int64 = 0
        /// The tokens of the claims that are being made.
        var claiming: Set<String> = []
        /// What this process has claimed and has neither recorded nor given back.
        var held: Set<DeliveryLease> = []
    }

    let startedAt: Timestamp
    private let state = Mutex(State())

    init(startedAt: Timestamp) {
        self.startedAt = startedAt
    }

    /// - Returns: whether the other nodes may be judged: this one has been in touch for long enough to have seen them. One that has just
    ///   joined has not: the database may have been away before.
    func noteHeartbeat(at now: Timestamp) -> Bool {
        state.withLock { state in
            if state.seenAt.map({ now.milliseconds - $0.milliseconds > Store.Node.outOfTouch }) ?? true {
                state.judgesFrom = now.adding(Store.Node.silence)
            }
            state.seenAt = now
            return state.judgesFrom.map { $0 <= now } ?? true
        }
    }

    /// Whether the node has joined, and others may soon take it for dead.
    func isOutOfTouch(at now: Timestamp) -> Bool {
        state.withLock { state in
            state.seenAt.map { now.milliseconds - $0.milliseconds > Store.Node.outOfTouch } ?? false
        }
    }

    var hasLeft: Bool { state.withLock(\.hasLeft) }

    func leave() { state.withLock { $0.hasLeft = true } }

    var leaseLength: Int64 {
        get { state.withLock(\.leaseLength) }
        set { state.withLock { $0.leaseLength = newValue } }
    }

    /// Whether this process makes the attempt of the lease. It does not where the claim failed and was committed all the same, nor where
    /// the database has crashed and lost the outcome, which is committed without an fsync.
    func holds(_ lease: DeliveryLease) -> Bool {
        state.withLock { $0.claiming.contains(lease.token) || $0.held.contains(lease) }
    }

    /// Holds what `claim` returns; nothing where it throws.
    func holding(
        under token: String, _ claim: () throws(Failure) -> [ClaimedDelivery]
    ) throws(Failure) -> [ClaimedDelivery] {
        state.withLock { _ = $0.claiming.insert(token) }
        var claimed: [ClaimedDelivery] = []
        defer {
            state.withLock { state in
                state.held.formUnion(claimed.map { DeliveryLease(deliveryID: $0.id, token: token) })
                state.claiming.remove(token)
            }
        }
        claimed = try claim()
        return claimed
    }

    func letGo(_ leases: some Sequence<DeliveryLease>) { state.withLock { $0.held.subtract(leases) } }
}
