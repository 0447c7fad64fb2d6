import QuickActions
import Shortcuts
import Synchronization

extension Store {
    /// A process that shares the database with others.
    package struct Node: Sendable {
        /// Different at each start of the process.
        package let id: String
        /// `--node`: unique among living nodes.
        package let name: String
        package let version: String

        package init(id: String, name: String, version: String) {
            self.id = id
            self.name = name
            self.version = version
        }

        /// How often a node sends a heartbeat.
        package static let heartbeatInterval = Duration.seconds(2)
        /// After this many milliseconds without a heartbeat, a node loses its leases.
        static let silence: Int64 = 15_000
        /// After this many milliseconds without a heartbeat, a node is no longer listed.
        static let absence: Int64 = 20_000
        /// After this many milliseconds without contact to the database, a node waits for heartbeats of the others before it ends their
        /// leases, and sends its own heartbeat before it claims.
        static let outOfTouch: Int64 = 10_000
    }
}

/// The state of this process as one of several nodes.
final class Membership: Sendable {
    private struct State {
        /// The last committed heartbeat; nil before the node has joined.
        var seenAt: Timestamp?
        /// Before this time, this node does not end the leases of other nodes.
        var judgesFrom: Timestamp?
        var hasLeft = false
        /// The length of the last claim's lease, in milliseconds.
        var leaseLength: Int64 = 0
        /// The tokens of claims in progress.
        var claiming: Set<String> = []
        /// The leases of this process that are neither recorded nor released.
        var held: Set<DeliveryLease> = []
    }

    let startedAt: Timestamp
    private let state = Mutex(State())

    init(startedAt: Timestamp) {
        self.startedAt = startedAt
    }

    /// - Returns: whether this node may end the leases of others: it has had contact to the database for long enough to see their
    ///   heartbeats. A node that has just joined has not: the database may have been unreachable before.
    func noteHeartbeat(at now: Timestamp) -> Bool {
        state.withLock { state in
            if state.seenAt.map({ now.milliseconds - $0.milliseconds > Store.Node.outOfTouch }) ?? true {
                state.judgesFrom = now.adding(Store.Node.silence)
            }
            state.seenAt = now
            return state.judgesFrom.map { $0 <= now } ?? true
        }
    }

    /// Whether the node has joined and other nodes may soon end its leases.
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

    /// Whether this process makes the attempt of the lease. It does not if the claim failed but was committed, or if the database crashed
    /// and lost the outcome, which is committed without an fsync.
    func holds(_ lease: DeliveryLease) -> Bool {
        state.withLock { $0.claiming.contains(lease.token) || $0.held.contains(lease) }
    }

    /// Adds the leases that `claim` returns to `held`; none if it throws.
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
