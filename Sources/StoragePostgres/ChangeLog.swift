import SQL
import Shortcuts
import Synchronization

/// One row of the table `changes`: what a commit recorded for other nodes. Numbers have no gaps: they are given under the writers' lock.
struct LoggedChange: RowReadable {
    let number: Int64
    /// The texts of `SQLConnection.record(change:)`, one a line; empty where the commit changed nothing that others remember.
    let content: String
    /// Names the commit.
    let token: String

    init(row: inout SQLRow) throws(Failure) {
        (number, content, token) = (try row.read(), try row.read(), try row.read())
    }

    /// A node that is further behind takes everything for changed.
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
    /// The number behind which it was read.
    let known: Int64
    /// The last number that was given.
    let last: Int64
    /// In the order of their numbers.
    let changes: [LoggedChange]
}

extension SQLConnection {
    /// The counter is read first: a commit between the two statements is then in the changes, and its number greater than `last`.
    func changes(after known: Int64) throws(Failure) -> ChangeReading {
        let last = try first("SELECT last FROM change_counter WHERE id = 1", [], as: Int64.self) ?? 0
        return ChangeReading(
            known: known, last: last, changes: try rows(LoggedChange.selection, [.integer(known)], as: LoggedChange.self))
    }
}

/// Which commits this node's observers have been called for, and in which order they are called for more.
final class ChangeLog: Sendable {
    private struct State {
        /// The number of the last commit whose observers were called, or have a ticket.
        var known: Int64 = 0
        /// The tokens of this process's commits that have not ended: whoever makes one calls the observers for it.
        var underWay: Set<String> = []
        /// Those of them that were read from the log.
        var passedOver: Set<String> = []
        /// Those that were passed over for so long that the observer was told that anything may have changed.
        var toldEarly: Set<String> = []
        var observer: (@Sendable (ExternalCommits) -> Void)?

        /// Advances `known` over the changes.
        /// - Returns: a call of the observer for those that were not known; nil where there is nothing to tell.
        mutating func takeNews(in changes: [LoggedChange]) -> (() -> Void)? {
            let news = changes.filter { $0.number > known }
            guard let first = news.first, let last = news.last else { return nil }
            // Where rows were pruned before they were read, anything may have changed.
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

    /// The last commit that needs no reading any more.
    var known: Int64 { state.withLock(\.known) }

    /// Before anything is cached: what was committed so far need not be told.
    func start(after number: Int64) {
        state.withLock { $0.known = number }
    }

    func observe(_ observer: @escaping @Sendable (ExternalCommits) -> Void) {
        state.withLock { $0.observer = observer }
    }

    /// Calls the observer for what is not known yet, in commit order, and returns after it.
    /// - Returns: how many changes of other nodes were new.
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

    /// Takes everything for changed. The node is far behind; or the database is another one, or an older state of it: a copy that was
    /// restored, a standby that lacked commits.
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

    /// Called where the commit was not made, or is not known to have been. Where it was, the observer learns of it here.
    func abandonCommit(_ token: String) {
        let news = state.withLock { state -> (Int, () -> Void)? in
            state.underWay.remove(token)
            state.toldEarly.remove(token)
            guard state.passedOver.remove(token) != nil, let observer = state.observer else { return nil }
            return (order.takeTicket(), { observer(.unknown) })
        }
        if let (ticket, notify) = news { order.run(ticket, notify) }
    }

    /// Takes note of a commit of this process.
    /// - Parameters:
    ///   - token: as given to `beginCommit`.
    ///   - number: the commit's.
    ///   - earlier: the changes before it, as far as they may not be known.
    /// - Returns: its ticket, and what to call under that ticket before its own observers.
    func commit(
        _ token: String, _ number: Int64, after earlier: [LoggedChange]
    ) -> (ticket: Int, preceding: (() -> Void)?) {
        state.withLock { state in
            state.underWay.remove(token)
            let isPassedOver = state.passedOver.remove(token) != nil || state.toldEarly.remove(token) != nil
            let isComplete = isPassedOver || (earlier.last?.number ?? state.known) >= number - 1
            guard number > state.known || isPassedOver, isComplete else {
                // As in `restart`.
                state.known = number
                return (order.takeTicket(), state.observer.map { observer in { observer(.unknown) } })
            }
            let notify = state.takeNews(in: earlier)
            state.known = max(state.known, number)
            return (order.takeTicket(), notify)
        }
    }

    /// Returns after the observers of all commits that were read. Those of a commit of this process are called by the thread that made
    /// it; where that waits long for its answer, anything may have changed.
    func waitForObservers() {
        let end = ContinuousClock.now + Self.longestCommit
        while state.withLock({ !$0.passedOver.isEmpty }), .now < end { Backoff.sleepBriefly() }
        let news = state.withLock { state in
            let observer = state.passedOver.isEmpty ? nil : state.observer
            // Not waited for again.
            state.toldEarly.formUnion(state.passedOver)
            state.passedOver = []
            return (order.takeTicket(), observer)
        }
        order.run(news.0) { news.1?(.unknown) }
    }
}
