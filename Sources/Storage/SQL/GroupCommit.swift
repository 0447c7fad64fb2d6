import Dispatch
import Foundation
import Shortcuts

/// Group commit: writers that arrive while another one writes share a transaction, so that one fsync serves them all.
///
/// A writer that finds no leader leads: it runs every queued writer in one transaction, each behind its own savepoint, and passes the lead
/// to the first writer that arrived in the meantime. A writer that throws is rolled back alone. A transaction that cannot be committed
/// fails for every writer in it, because each may have read what the others wrote.
///
/// `@unchecked`: `lock` owns `state`. It is an `NSLock`, which the thread sanitizer supports, and not a `Mutex`, because writers are handed
/// from thread to thread under it.
package final class GroupCommit: @unchecked Sendable {
    package typealias Body = (any SQLConnection) throws(Failure) -> Void
    /// Runs `body` in one transaction and commits it, or rolls back if it throws. `since` is the arrival of the first writer.
    package typealias TransactionRunner = (_ body: Body, _ since: ContinuousClock.Instant) -> TransactionOutcome

    package struct TransactionOutcome {
        /// The commit's ticket in `CommitOrder`; nil if nothing was committed.
        package var ticket: Int?
        /// Called under the ticket, before the observers of the commit. Reports the earlier commits of other processes.
        package var preceding: (() -> Void)?
        /// Why nothing was committed, or why the commit may not be durable.
        package var failure: Failure?

        package init() {}
    }

    /// One call of `write`.
    private final class Writer: @unchecked Sendable {  // the leader owns it until `wakeUp` is signalled, then the calling thread
        enum Outcome {
            case done
            case failed(Failure)
            /// The calling thread leads the next transaction.
            case leads
        }

        private var body: Body?
        private var committed: (() -> Void)?
        let wakeUp = DispatchSemaphore(value: 0)
        let arrival = ContinuousClock.now
        var outcome = Outcome.done

        init(_ body: @escaping Body, _ committed: @escaping () -> Void) {
            self.body = body
            self.committed = committed
        }

        func run(on connection: any SQLConnection) throws(Failure) {
            try body?(connection)
        }

        func notifyCommitted() {
            if case .done = outcome { committed?() }
        }

        /// Sets the writer's failure. If the transaction was committed, a writer that threw keeps its own failure.
        func fail(_ failure: Failure, isCommitted: Bool) {
            if case .failed = outcome, isCommitted { return }
            outcome = .failed(failure)
        }

        func lead() {
            outcome = .leads
            wakeUp.signal()
        }

        /// Releases the closures before the call returns, because they must not escape it.
        func end() {
            body = nil
            committed = nil
            wakeUp.signal()
        }
    }

    private struct State {
        var hasLeader = false
        var waiting: [Writer] = []
    }

    /// The maximum number of writers in one transaction. It limits how long a writer waits for the others.
    private static let largestGroup = 64
    /// The arrivals of a group's writers differ by less than this. Its deadline is that of its first writer, who may have waited long.
    private static let longestArrival: Duration = .seconds(2)

    private let lock = NSLock()
    private var state = State()
    private let order: CommitOrder

    package init(_ order: CommitOrder) {
        self.order = order
    }

    /// The number of writers queued behind the leader.
    package var queueLength: Int { lock.withLock { state.waiting.count } }

    /// Blocks until `body` is committed or has failed.
    /// - Parameters:
    ///   - isAlone: whether the transaction has no other writers.
    ///   - committed: called after `body` is committed, in commit order and before this returns.
    ///   - transaction: how the engine runs a transaction; called on the leader's thread.
    package func write<Result>(
        alone isAlone: Bool = false, _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void,
        in transaction: TransactionRunner
    ) throws(Failure) -> Result {
        var result: Result?
        try withoutActuallyEscaping(body) { body throws(Failure) in
            try withoutActuallyEscaping(committed) { committed throws(Failure) in
                let writer = Writer({ connection throws(Failure) in result = try body(connection) }, committed)
                if isAlone { finish([writer], run([writer], in: transaction)) } else { write(writer, in: transaction) }
                if case .failed(let failure) = writer.outcome { throw failure }
            }
        }
        guard let result else { throw .corrupt("A part of a committed transaction is missing.") }
        return result
    }

    private func write(_ writer: Writer, in transaction: TransactionRunner) {
        let leads = lock.withLock {
            if state.hasLeader { state.waiting.append(writer) }
            defer { state.hasLeader = true }
            return !state.hasLeader
        }
        if leads {
            commit([writer], in: transaction)
        } else {
            writer.wakeUp.wait()
            if case .leads = writer.outcome { commit(group(of: writer), in: transaction) }
        }
    }

    /// The leader and the queued writers, in the order of their arrival.
    private func group(of leader: Writer) -> [Writer] {
        lock.withLock {
            let followers = state.waiting.prefix(Self.largestGroup - 1).prefix { $0.arrival < leader.arrival + Self.longestArrival }
            state.waiting.removeFirst(followers.count)
            return [leader] + followers
        }
    }

    /// The next leader starts its transaction before the observers of this one have run.
    private func commit(_ group: [Writer], in transaction: TransactionRunner) {
        let outcome = run(group, in: transaction)
        let next = lock.withLock {
            state.hasLeader = !state.waiting.isEmpty
            return state.hasLeader ? state.waiting.removeFirst() : nil
        }
        next?.lead()
        finish(group, outcome)
    }

    private func run(_ group: [Writer], in transaction: TransactionRunner) -> TransactionOutcome {
        let since = group.reduce(group[0].arrival) { min($0, $1.arrival) }
        return transaction({ connection throws(Failure) in try Self.run(group, on: connection) }, since)
    }

    private func finish(_ group: [Writer], _ outcome: TransactionOutcome) {
        if let ticket = outcome.ticket {
            order.run(ticket) {
                outcome.preceding?()
                for writer in group { writer.notifyCommitted() }
            }
        }
        if let failure = outcome.failure {
            for writer in group { writer.fail(failure, isCommitted: outcome.ticket != nil) }
        }
        for writer in group { writer.end() }
    }

    private static func run(_ group: [Writer], on connection: any SQLConnection) throws(Failure) {
        for writer in group { writer.outcome = .done }
        // A single writer needs no savepoint: it can roll back the whole transaction.
        guard group.count > 1 else { return try group[0].run(on: connection) }
        for writer in group {
            do throws(Failure) {
                try connection.savepoint(writer.run)
            } catch {
                writer.outcome = .failed(error)
                // SQLite rolls the whole transaction back after a disk error, including the statements of the other writers.
                guard connection.isInTransaction else { throw error }
            }
        }
    }
}

/// A ticket lock that runs the observers of commits in commit order, while the next transaction is already under way.
///
/// `@unchecked`: the condition's lock owns the two counters.
package final class CommitOrder: @unchecked Sendable {
    private let condition = NSCondition()
    private var issued = 0
    private var finished = 0

    package init() {}

    /// Issues the next ticket. Call it directly after a commit, in commit order. Every ticket must be passed to `run`.
    package func takeTicket() -> Int {
        condition.lock()
        defer { condition.unlock() }
        issued += 1
        return issued
    }

    /// Blocks until the bodies of all earlier tickets have returned, then runs `body`.
    package func run(_ ticket: Int, _ body: () -> Void) {
        condition.lock()
        while finished < ticket - 1 { condition.wait() }
        condition.unlock()
        body()
        condition.lock()
        finished = ticket
        condition.broadcast()
        condition.unlock()
    }
}
