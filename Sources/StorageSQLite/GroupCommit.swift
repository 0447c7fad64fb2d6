import Dispatch
import SQL
import Shortcuts
import Synchronization

/// Lets writers that come while another is at it share a transaction, so that one wait for the disk serves them all.
///
/// Whoever finds nobody writing leads: it takes everyone who waits into one transaction, each behind a savepoint of its own,
/// and hands the lead to the first who came meanwhile. A writer that is refused takes back what is its own only; a transaction
/// that cannot be committed fails for everyone who was in it, because what each has seen of the others never came about.
final class GroupCommit: Sendable {
    typealias Body = (SQLiteConnection) throws(Failure) -> Void
    /// Runs `body` in one transaction and commits it, or rolls back where it throws.
    typealias TransactionRunner = (_ body: Body) -> Outcome

    struct Outcome {
        /// The commit's turn in the order of commits; nil where there was none.
        var turn: Int?
        /// Why it was not committed, or why it is not known to be durable.
        var failure: Failure?
    }

    /// One writer's part in a transaction.
    final class Part: @unchecked Sendable {  // the leader's until `turn` is signalled, then its writer's
        enum Outcome {
            case done
            case failed(Failure)
            /// The writer is to lead the next transaction.
            case leads
        }

        private var body: Body?
        private var committed: (() -> Void)?
        let turn = DispatchSemaphore(value: 0)
        var outcome = Outcome.done

        init(_ body: @escaping Body, _ committed: @escaping () -> Void) {
            self.body = body
            self.committed = committed
        }

        func run(on connection: SQLiteConnection) throws(Failure) {
            try body?(connection)
        }

        func tellOfCommit() {
            if case .done = outcome { committed?() }
        }

        /// A part that was refused in a transaction that was committed keeps its own reason.
        func fail(_ failure: Failure, isCommitted: Bool) {
            if case .failed = outcome, isCommitted { return }
            outcome = .failed(failure)
        }

        func lead() {
            outcome = .leads
            turn.signal()
        }

        /// Lets go of what belongs to the writer's call before that returns.
        func end() {
            body = nil
            committed = nil
            turn.signal()
        }
    }

    private struct State {
        var isLed = false
        var waiting: [Part] = []
    }

    /// How many share a transaction at most, so that nobody waits long for the work of the others.
    private static let most = 64

    private let state = Mutex(State())
    private let order: CommitOrder

    init(_ order: CommitOrder) {
        self.order = order
    }

    /// How many wait for the one who leads.
    var depth: Int { state.withLock(\.waiting.count) }

    /// - Parameters:
    ///   - committed: called once `body` is committed, in the order of commits and before this returns.
    func write(
        _ body: @escaping Body, committed: @escaping () -> Void, in transaction: TransactionRunner
    ) throws(Failure) {
        let part = Part(body, committed)
        let leads = state.withLock { state in
            if state.isLed { state.waiting.append(part) }
            defer { state.isLed = true }
            return !state.isLed
        }
        if leads {
            lead([part], in: transaction)
        } else {
            part.turn.wait()
            if case .leads = part.outcome { lead(takeOthers(of: part), in: transaction) }
        }
        if case .failed(let failure) = part.outcome { throw failure }
    }

    /// The leader first: it has waited longest.
    private func takeOthers(of leader: Part) -> [Part] {
        state.withLock { state in
            let others = state.waiting.prefix(Self.most - 1)
            state.waiting.removeFirst(others.count)
            return [leader] + others
        }
    }

    /// The next transaction is begun before those who hear of this one have heard of it.
    private func lead(_ parts: [Part], in transaction: TransactionRunner) {
        let outcome = transaction { connection throws(Failure) in try Self.run(parts, on: connection) }
        let next = state.withLock { state in
            state.isLed = !state.waiting.isEmpty
            return state.isLed ? state.waiting.removeFirst() : nil
        }
        next?.lead()
        if let turn = outcome.turn {
            order.run(turn) {
                for part in parts { part.tellOfCommit() }
            }
        }
        if let failure = outcome.failure {
            for part in parts { part.fail(failure, isCommitted: outcome.turn != nil) }
        }
        for part in parts { part.end() }
    }

    private static func run(_ parts: [Part], on connection: SQLiteConnection) throws(Failure) {
        for part in parts { part.outcome = .done }
        // Alone, a part is the transaction.
        guard parts.count > 1 else { return try parts[0].run(on: connection) }
        for part in parts {
            do throws(Failure) {
                try connection.savepoint(part.run)
            } catch {
                part.outcome = .failed(error)
                // SQLite gives up the whole transaction where the disk fails it, neighbours and all.
                guard connection.isInTransaction else { throw error }
            }
        }
    }
}
