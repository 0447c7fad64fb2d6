import Foundation

/// Keeps what follows commits in the order of the commits, although the next is under way already.
///
/// `@unchecked`: what changes belongs to the condition's lock.
final class CommitOrder: @unchecked Sendable {
    private let condition = NSCondition()
    private var taken = 0
    private var ended = 0

    /// To be called right after a commit, while nobody else can commit.
    func takeTurn() -> Int {
        condition.lock()
        defer { condition.unlock() }
        taken += 1
        return taken
    }

    /// Runs `body` once what follows all earlier commits has come to its end. Every turn that was taken has to come here.
    func run(_ turn: Int, _ body: () -> Void) {
        condition.lock()
        while ended < turn - 1 { condition.wait() }
        condition.unlock()
        body()
        condition.lock()
        ended = turn
        condition.broadcast()
        condition.unlock()
    }
}
