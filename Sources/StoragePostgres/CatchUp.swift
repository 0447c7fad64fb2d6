import Foundation
import Shortcuts

/// Runs one call to the store at a time. Callers that arrive during a call share its result or that of the next call. After a failure, the
/// store is not called for a second. Then only one caller tries again, until the store answers.
///
/// `@unchecked`: `condition` owns the mutable state.
final class CatchUp: @unchecked Sendable {
    private static let pause = Duration.seconds(1)
    /// In seconds: the maximum wait for other callers.
    private static let timeLimit = 1.9

    private let condition = NSCondition()
    /// The number of calls that have begun and that have ended. During a call they differ by one.
    private var begun = 0
    private var ended = 0
    private var waiters = 0
    private var failure: (failure: Failure, until: ContinuousClock.Instant)?
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// The number of callers that wait for another caller's result.
    var waiting: Int {
        condition.lock()
        defer { condition.unlock() }
        return waiters
    }

    /// - Parameter isComplete: whether only a call that begins after this one counts.
    func run(isComplete: Bool, _ body: () throws(Failure) -> Void) throws(Failure) {
        guard try waitForOthers(isComplete: isComplete) else { return }
        let result = Result { () throws(Failure) in try body() }
        condition.lock()
        ended += 1
        failure = if case .failure(let error) = result { (error, now() + Self.pause) } else { nil }
        condition.broadcast()
        condition.unlock()
        try result.get()
    }

    /// - Returns: true if the caller must call the store itself; false if another caller has done so.
    private func waitForOthers(isComplete: Bool) throws(Failure) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let wanted = begun > ended && !isComplete ? begun : begun + 1
        let end = Date(timeIntervalSinceNow: Self.timeLimit)
        while true {
            // While the store does not answer, only one caller tries again, and nobody waits for that caller.
            if let failure, begun > ended || now() < failure.until { throw failure.failure }
            if ended >= wanted { return false }
            if begun == ended { break }
            waiters += 1
            let isInTime = condition.wait(until: end)
            waiters -= 1
            guard isInTime || ended >= wanted else {
                throw .storageUnavailable(cause: "Reading the changes of other nodes took longer than \(Self.timeLimit) s.")
            }
        }
        begun += 1
        return true
    }
}
