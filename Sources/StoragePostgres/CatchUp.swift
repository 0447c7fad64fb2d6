import Foundation
import Shortcuts

/// One call at a time asks the store; those that come meanwhile share its answer. After a failure it is not asked again for a second.
///
/// `@unchecked`: `condition` owns the mutable state.
final class CatchUp: @unchecked Sendable {
    private static let pause = Duration.seconds(1)

    private let condition = NSCondition()
    private var isRunning = false
    private var ended = 0
    private var failure: (failure: Failure, until: ContinuousClock.Instant)?

    func run(_ body: () throws(Failure) -> Void) throws(Failure) {
        condition.lock()
        let before = ended
        while isRunning { condition.wait() }
        if let failure, .now < failure.until {
            condition.unlock()
            throw failure.failure
        }
        guard ended == before else { return condition.unlock() }
        isRunning = true
        condition.unlock()
        let result = Result { () throws(Failure) in try body() }
        condition.lock()
        isRunning = false
        ended += 1
        failure = if case .failure(let error) = result { (error, .now + Self.pause) } else { nil }
        condition.broadcast()
        condition.unlock()
        try result.get()
    }
}
