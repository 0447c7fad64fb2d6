import Dispatch
import HTTP
import Shortcuts
import Synchronization

/// A rendering in progress. Workers whose requests select the same answer wait for its result.
final class InFlightRendering: Sendable {
    private let isDone = DispatchGroup()
    private let result = Mutex(Result.notShared)

    /// The result for the requests that waited.
    enum Result: Sendable {
        case answer(PreparedAnswer)
        case failure(Failure)
        /// Each request renders for itself.
        case notShared
    }

    init() {
        isDone.enter()
    }

    /// Must be called once.
    func end(_ result: Result) {
        self.result.withLock { $0 = result }
        isDone.leave()
    }

    /// Blocks until `end` is called.
    func wait() -> Result {
        isDone.wait()
        return result.withLock { $0 }
    }
}
