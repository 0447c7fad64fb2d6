import Foundation
import Platform
import Shortcuts
import Storage

/// A pool of at most `size` connections for transactions. The pool's own thread opens them, because libpq looks up names without a
/// deadline. A caller waits no longer than its own deadline.
///
/// Callers get connections in the order of their arrival. Transactions that wait for a lock of all nodes leave one connection to the
/// others, so that fetches never wait for another node.
///
/// While the server cannot be reached, the pool tries one connection at a time, with growing pauses. After a few tries, callers that have a
/// fallback get an error at once.
///
/// `@unchecked`: `condition` owns the mutable state.
final class ConnectionPool: @unchecked Sendable {
    /// In seconds. A random part is added, so that nodes do not reconnect at the same time.
    private static let pauses = [0.1, 0.2, 0.4, 0.8]

    /// The number of failed tries after which the server counts as unreachable. One failure is not enough: an administrator may have ended
    /// a connection.
    private static let failuresOfServerAway = 3

    /// What a connection is taken for.
    enum Use {
        /// Has a fallback if the server is unreachable.
        case read
        case write
        /// A write that takes an `AdvisoryLock`, which another node may keep for seconds.
        case lockingWrite
    }

    private let target: ConnectionTarget
    private let purpose: ConnectionTarget.Purpose
    private let size: Int
    /// `size`, or less while the listening connection finds no room.
    private var capacity: Int
    private let prepare: @Sendable (PostgresConnection) throws(Failure) -> Void
    private let connector = SerialThread("lp-connector", isBackground: false)
    private let condition = NSCondition()
    private var idle: [PostgresConnection] = []
    private var openCount = 0
    private var isConnecting = false
    /// The callers of `acquire`, in the order of their arrival.
    private var waiting: [(number: Int, use: Use)] = []
    private var lastNumber = 0
    /// The connections in use for `Use.lockingWrite`.
    private var locking = 0
    private var lastFailure: Failure?
    private var failures = 0
    private var retryAt = ContinuousClock.now
    /// Lost connections that were not replaced yet, and the number of those replaced so far.
    private var (lost, replaced) = (0, 0)
    private var isClosed = false

    /// - Parameter prepare: called once for each connection, on the pool's thread.
    init(
        _ target: ConnectionTarget, _ purpose: ConnectionTarget.Purpose, size: Int,
        prepare: @escaping @Sendable (PostgresConnection) throws(Failure) -> Void
    ) {
        self.target = target
        self.purpose = purpose
        self.size = size
        capacity = size
        self.prepare = prepare
    }

    /// Takes a connection, and waits for one until the deadline. A read throws the failure of the last try to connect instead, after several
    /// failed tries and without an open connection.
    func acquire(for use: Use, before deadline: ContinuousClock.Instant) throws(Failure) -> PostgresConnection {
        condition.lock()
        defer { condition.unlock() }
        lastNumber += 1
        let number = lastNumber
        waiting.append((number, use))
        defer {
            waiting.removeAll { $0.number == number }
            if !idle.isEmpty { condition.broadcast() }
        }
        while true {
            if waiting.first(where: { mayTake($0.use) })?.number == number, let connection = idle.popLast() {
                guard connection.isUsable else {
                    drop()
                    continue
                }
                connection.use = use
                if use == .lockingWrite { locking += 1 }
                return connection
            }
            if isClosed { throw .storageUnavailable(cause: "The store is closed.") }
            if mayTake(use) { connectIfNeeded() }
            if let lastFailure, use == .read, failures >= Self.failuresOfServerAway, openCount == 0 { throw lastFailure }
            guard condition.wait(until: wakeUp(before: deadline)) || .now < deadline else {
                throw lastFailure ?? .storageUnavailable(cause: "All connections stayed in use until the timeout.")
            }
        }
    }

    private func mayTake(_ use: Use) -> Bool { use != .lockingWrite || locking < max(1, capacity - 1) }

    /// Returns a connection to the pool. An unusable one is closed.
    func giveBack(_ connection: PostgresConnection) {
        condition.lock()
        defer { condition.unlock() }
        if connection.use == .lockingWrite { locking -= 1 }
        if !connection.isUsable || isClosed {
            drop()
        } else if openCount > capacity {
            openCount -= 1
        } else {
            idle.append(connection)
        }
        // Only one of those who wait may take it.
        condition.broadcast()
    }

    /// Closes one connection, now or when it is returned, and opens none in its place until `endMakingRoom`. The last connection stays.
    func makeRoom() {
        condition.lock()
        defer { condition.unlock() }
        capacity = max(1, min(capacity, openCount - 1))
        if openCount > capacity, idle.popLast() != nil { openCount -= 1 }
    }

    func endMakingRoom() {
        condition.lock()
        defer { condition.unlock() }
        capacity = size
    }

    /// Closes idle connections. Busy ones are closed when they are returned.
    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        openCount -= idle.count
        idle = []
        condition.broadcast()
    }

    /// The number of busy and idle connections, and of connections opened in place of a lost one.
    var counts: (busy: Int, idle: Int, replaced: Int) {
        condition.lock()
        defer { condition.unlock() }
        return (openCount - idle.count, idle.count, replaced)
    }

    private func drop() {
        openCount -= 1
        lost += 1
    }

    /// When a waiting thread must wake up: at its deadline, or earlier to make the next try.
    private func wakeUp(before deadline: ContinuousClock.Instant) -> Date {
        let instant = lastFailure != nil && !isConnecting ? min(deadline, max(retryAt, .now + .milliseconds(1))) : deadline
        return Date(timeIntervalSinceNow: ContinuousClock.now.duration(to: instant) / .seconds(1))
    }

    private func connectIfNeeded() {
        guard !isConnecting, openCount < capacity, !isClosed, .now >= retryAt else { return }
        isConnecting = true
        connector.run { [weak self] in self?.connect() }
    }

    private func connect() {
        let result = Result { () throws(Failure) -> PostgresConnection in
            let connection: PostgresConnection
            do throws(PostgresError) {
                connection = try PostgresConnection(target, purpose: purpose)
            } catch {
                throw error.failure
            }
            try prepare(connection)
            return connection
        }
        condition.lock()
        defer { condition.unlock() }
        isConnecting = false
        switch result {
        case .success(let connection):
            openCount += 1
            if lost > 0 { (lost, replaced) = (lost - 1, replaced + 1) }
            (failures, lastFailure) = (0, nil)
            if isClosed { openCount -= 1 } else { idle.append(connection) }
            if waiting.count > 1 { connectIfNeeded() }
        case .failure(let failure):
            let pause = Self.pauses[min(failures, Self.pauses.count - 1)] * Double.random(in: 1...1.5)
            failures += 1
            (lastFailure, retryAt) = (failure, .now + .seconds(pause))
        }
        condition.broadcast()
    }
}
