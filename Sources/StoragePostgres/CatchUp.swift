import Foundation
import Platform
import Shortcuts

/// Runs one call to the store at a time, on its own thread, so that no caller waits longer than its timeout. Callers that arrive during a
/// call share its result, if it began within the last second, or that of the next call. After a failure or a timeout, the store is not called
/// for a second. Then only one caller tries again, until the store answers. A timeout that passed while the process was suspended does not
/// count, once for each caller.
///
/// `@unchecked`: `condition` owns the mutable state.
final class CatchUp: @unchecked Sendable {
    typealias Call = @Sendable () throws(Failure) -> Void

    private static let pause = Duration.seconds(1)
    /// A thread that continues later than this after a timeout was suspended, in seconds.
    private static let lateness: TimeInterval = 0.1

    private let thread = SerialThread("lp-catch-up", isBackground: false)
    private let condition = NSCondition()
    /// The maximum wait of a caller, in seconds.
    private let timeout: TimeInterval
    /// The number of calls that have begun and that have ended. During a call they differ by one.
    private var begun = 0
    private var ended = 0
    /// When the last call began. The process may have been frozen since.
    private var begunAt: ContinuousClock.Instant
    private var waiters = 0
    private var failure: (failure: Failure, until: ContinuousClock.Instant)?
    private let now: @Sendable () -> ContinuousClock.Instant

    init(timeout: TimeInterval = 1.9, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.timeout = timeout
        self.now = now
        begunAt = now()
    }

    /// The number of callers that wait.
    var waiting: Int {
        condition.lock()
        defer { condition.unlock() }
        return waiters
    }

    /// Forgets a failure: the store answers others. Otherwise the next callers at one time would get an old failure, except one.
    func noteSuccess() {
        condition.lock()
        defer { condition.unlock() }
        failure = nil
    }

    /// - Parameter isComplete: whether only a call that begins after this one counts.
    func run(isComplete: Bool, _ call: @escaping Call) throws(Failure) {
        condition.lock()
        defer { condition.unlock() }
        let isShared = begun > ended && !isComplete && now() < begunAt + Self.pause
        let wanted = isShared ? begun : begun + 1
        var end = Date(timeIntervalSinceNow: timeout)
        var (hasBegunCall, mayWaitAgain) = (false, true)
        while true {
            guard ended < wanted else {
                if let failure { throw failure.failure }
                return
            }
            // While the store does not answer, only one caller tries again, and nobody waits for that caller.
            if let failure, !hasBegunCall, begun > ended || now() < failure.until { throw failure.failure }
            if begun == ended {
                (begun, begunAt, hasBegunCall) = (begun + 1, now(), true)
                thread.run { [self] in perform(call) }
            }
            waiters += 1
            let isInTime = condition.wait(until: end)
            waiters -= 1
            guard isInTime || ended >= wanted else {
                if mayWaitAgain, Date() > end + Self.lateness {
                    mayWaitAgain = false
                    end = Date(timeIntervalSinceNow: timeout)
                    continue
                }
                let failure = Failure.storageUnavailable(cause: "Reading the changes of other nodes took longer than \(timeout) s.")
                self.failure = (failure, now() + Self.pause)
                throw failure
            }
        }
    }

    private func perform(_ call: Call) {
        let end = Date(timeIntervalSinceNow: timeout) + Self.lateness
        var result = Result { () throws(Failure) in try call() }
        if case .failure = result, Date() > end { result = Result { () throws(Failure) in try call() } }
        condition.lock()
        defer { condition.unlock() }
        ended += 1
        failure = if case .failure(let error) = result { (error, now() + Self.pause) } else { nil }
        condition.broadcast()
    }
}
