import Foundation
import Shortcuts

/// One call at a time asks the store; those that come meanwhile share its answer, or the next one's. After a failure it is not asked again
/// for a second, and then by one caller alone, until it answers.
///
/// `@unchecked`: `condition` owns the mutable state.
final class CatchUp: @unchecked Sendable {
    private static let pause = Duration.seconds(1)
    /// In seconds: whoever has waited for others for so long gives up.
    private static let patience = 1.9

    private let condition = NSCondition()
    /// Runs that have begun, and that have ended: one less while one is under way.
    private var begun = 0
    private var ended = 0
    private var waiters = 0
    private var failure: (failure: Failure, until: ContinuousClock.Instant)?

    /// How many callers wait for a run of another one.
    var waiting: Int {
        condition.lock()
        defer { condition.unlock() }
        return waiters
    }

    /// - Parameter isComplete: whether only a run that begins after this call will do.
    func run(isComplete: Bool, _ body: () throws(Failure) -> Void) throws(Failure) {
        guard try waitForOthers(isComplete: isComplete) else { return }
        let result = Result { () throws(Failure) in try body() }
        condition.lock()
        ended += 1
        failure = if case .failure(let error) = result { (error, .now + Self.pause) } else { nil }
        condition.broadcast()
        condition.unlock()
        try result.get()
    }

    /// - Returns: whether the caller runs; false where another one has.
    private func waitForOthers(isComplete: Bool) throws(Failure) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let wanted = begun > ended && !isComplete ? begun : begun + 1
        let end = Date(timeIntervalSinceNow: Self.patience)
        while true {
            // While the store does not answer, one caller asks it again, and nobody waits for that one.
            if let failure, begun > ended || .now < failure.until { throw failure.failure }
            if ended >= wanted { return false }
            if begun == ended { break }
            waiters += 1
            let isInTime = condition.wait(until: end)
            waiters -= 1
            guard isInTime || ended >= wanted else {
                throw .storageUnavailable(cause: "Reading the changes of other nodes took longer than \(Self.patience) s.")
            }
        }
        begun += 1
        return true
    }
}
