import Foundation

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
