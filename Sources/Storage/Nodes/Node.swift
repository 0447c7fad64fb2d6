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
        var lostClaims: [String] = []
    }

    let startedAt: Timestamp
    private let state = Mutex(State())

    init(startedAt: Timestamp) {
        self.startedAt = startedAt
    }

    /// - Returns: whether the other nodes may be judged: this one has been in touch for long enough to have seen them.
    func noteHeartbeat(at now: Timestamp) -> Bool {
        state.withLock { state in
            if let last = state.seenAt, now.milliseconds - last.milliseconds > Store.Node.outOfTouch {
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

    /// The tokens of claims that failed and may have been committed all the same: nobody will make their attempts.
    var lostClaims: [String] { state.withLock(\.lostClaims) }

    func lose(_ token: String) { state.withLock { $0.lostClaims.append(token) } }

    func forgetLost(_ tokens: [String]) { state.withLock { state in state.lostClaims.removeAll(where: tokens.contains) } }
}
