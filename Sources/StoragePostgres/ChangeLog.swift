import Shortcuts
import Storage
import Synchronization

/// One row of the table `changes`: what a commit recorded for other nodes. Numbers have no gaps, because they are given under the writers'
/// lock.
struct LoggedChange: RowReadable {
    let number: Int64
    /// The texts of `SQLConnection.record(change:)`, one a line. Empty if the commit changed nothing that other nodes cache.
    let content: String
    /// Identifies the commit.
    let token: String

    init(row: inout SQLRow) throws(Failure) {
        (number, content, token) = (try row.read(), try row.read(), try row.read())
    }

    /// A node that is further behind treats everything as changed.
    static let largestReading = 10_000
    static let selection = "SELECT number, content, token FROM changes WHERE number > ? ORDER BY number LIMIT \(largestReading + 1)"
}

extension LoggedChange {
    static func read(_ rows: [SQLRow]) throws(Failure) -> [LoggedChange] {
        try rows.map { row throws(Failure) in
            var row = row
            return try LoggedChange(row: &row)
        }
    }
}

/// One reading of the change log.
struct ChangeReading {
    /// The number after which the log was read.
    let known: Int64
    /// The last number that was given.
    let last: Int64
    /// In the order of their numbers.
    let changes: [LoggedChange]
}

extension SQLConnection {
    /// The counter is read first. A commit between the two statements then appears in the changes with a number above `last`.
    func changes(after known: Int64) throws(Failure) -> ChangeReading {
        let last = try first("SELECT last FROM change_counter WHERE id = 1", [], as: Int64.self) ?? 0
        return ChangeReading(
            known: known, last: last, changes: try rows(LoggedChange.selection, [.integer(known)], as: LoggedChange.self))
    }
}

/// Tracks the commits for which this node's observers were called, and orders the next calls.
final class ChangeLog: Sendable {
    private struct State {
        /// The number of the last commit whose observers were called or have a ticket.
        var known: Int64 = 0
        /// The tokens of this process's commits in progress. The thread that commits calls the observers.
        var underWay: Set<String> = []
        /// The tokens among them that were read from the log.
        var passedOver: Set<String> = []
        /// The tokens whose commits took so long that the observer got "anything may have changed" in place of them.
        var toldEarly: Set<String> = []
        var observer: (@Sendable (ExternalCommits) -> Void)?

        /// Advances `known` over the changes.
        /// - Returns: a call of the observer for the new changes; nil if there is nothing to report.
        mutating func takeNews(in changes: [LoggedChange]) -> (() -> Void)? {
            let news = changes.filter { $0.number > known }
            guard let first = news.first, let last = news.last else { return nil }
            // If rows were pruned before they were read, anything may have changed.
            let isComplete = first.number == known + 1
            let own = news.filter { underWay.contains($0.token) }.map(\.token)
            passedOver.formUnion(Set(own).subtracting(toldEarly))
            let texts = news.filter { !own.contains($0.token) }.flatMap { $0.content.split(separator: "\n").map(String.init) }
            known = last.number
            guard let observer, !isComplete || !texts.isEmpty else { return nil }
            return { observer(isComplete ? .recorded(texts) : .unknown) }
        }
    }

    private static let longestCommit = Duration.seconds(1)

    private let state = Mutex(State())
    let order = CommitOrder()

    /// The number of the last commit that need not be read again.
    var known: Int64 { state.withLock(\.known) }

    /// Marks all commits up to `number` as delivered. Called before anything is cached.
    func start(after number: Int64) {
        state.withLock { $0.known = number }
    }

    func observe(_ observer: @escaping @Sendable (ExternalCommits) -> Void) {
        state.withLock { $0.observer = observer }
    }

    /// Calls the observer for the new changes, in commit order, and returns after the call.
    /// - Returns: the number of new changes by other nodes.
    @discardableResult
    func deliver(_ reading: ChangeReading) -> Int {
        guard reading.last >= reading.known, reading.changes.count <= LoggedChange.largestReading else {
            restart(at: reading.last)
            return 0
        }
        let others = state.withLock { state in
            reading.changes.count { $0.number > state.known && !state.underWay.contains($0.token) }
        }
        deliver(reading.changes)
        return others
    }

    /// Treats everything as changed. The node is far behind, or the database was replaced by another one or by an older state: a restored
    /// copy, or a standby that lacked commits.
    private func restart(at last: Int64) {
        let (ticket, observer) = state.withLock { state in
            state.known = last
            return (order.takeTicket(), state.observer)
        }
        order.run(ticket) { observer?(.unknown) }
    }

    /// - Parameter changes: in the order of their numbers.
    func deliver(_ changes: [LoggedChange]) {
        let news = state.withLock { state in state.takeNews(in: changes).map { (order.takeTicket(), $0) } }
        if let (ticket, notify) = news { order.run(ticket, notify) }
    }

    /// Called before a commit of this process.
    func beginCommit(_ token: String) {
        state.withLock { _ = $0.underWay.insert(token) }
    }

    /// Called if the commit was not made, or if its outcome is unknown. If it was made, the observer is notified here that anything
    /// may have changed.
    func abandonCommit(_ token: String) {
        let news = state.withLock { state -> (Int, () -> Void)? in
            state.underWay.remove(token)
            state.toldEarly.remove(token)
            guard state.passedOver.remove(token) != nil, let observer = state.observer else { return nil }
            return (order.takeTicket(), { observer(.unknown) })
        }
        if let (ticket, notify) = news { order.run(ticket, notify) }
    }

    /// Records a commit of this process.
    /// - Parameters:
    ///   - token: the one that was passed to `beginCommit`.
    ///   - number: the commit's number.
    ///   - earlier: earlier changes that may not be known yet.
    /// - Returns: the commit's ticket, and a call to make under that ticket before the commit's own observers.
    func commit(
        _ token: String, _ number: Int64, after earlier: [LoggedChange]
    ) -> (ticket: Int, preceding: (() -> Void)?) {
        state.withLock { state in
            state.underWay.remove(token)
            let isPassedOver = state.passedOver.remove(token) != nil || state.toldEarly.remove(token) != nil
            let isComplete = isPassedOver || (earlier.last?.number ?? state.known) >= number - 1
            guard number > state.known || isPassedOver, isComplete else {
                // See `restart`.
                state.known = number
                return (order.takeTicket(), state.observer.map { observer in { observer(.unknown) } })
            }
            let notify = state.takeNews(in: earlier)
            state.known = max(state.known, number)
            return (order.takeTicket(), notify)
        }
    }

    /// Returns after the observers of all commits that were read. For a commit of this process, the thread that made it calls them. If that
    /// thread waits too long for its answer, the observer is notified that anything may have changed.
    func waitForObservers() {
        let end = ContinuousClock.now + Self.longestCommit
        while state.withLock({ !$0.passedOver.isEmpty }), .now < end { Backoff.sleepBriefly() }
        let news = state.withLock { state in
            let observer = state.passedOver.isEmpty ? nil : state.observer
            // Later calls do not wait for these tokens again.
            state.toldEarly.formUnion(state.passedOver)
            state.passedOver = []
            return (order.takeTicket(), observer)
        }
        order.run(news.0) { news.1?(.unknown) }
    }
}
