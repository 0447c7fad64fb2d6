import Dispatch
import Synchronization

/// A rendering that is under way. Who wants the same waits for it.
final class Rendering: Sendable {
    struct Key: Hashable {
        let spelling: [UInt8]
        /// Who has seen a later change does not want what was read before it.
        let generation: Int
    }

    private let isDone = DispatchGroup()
    private let result = Mutex<CacheableAnswer?>(nil)

    init() {
        isDone.enter()
    }

    /// - Parameter answer: nil where there was none for all who asked alike.
    func end(_ answer: CacheableAnswer?) {
        result.withLock { $0 = answer }
        isDone.leave()
    }

    func wait() -> CacheableAnswer? {
        isDone.wait()
        return result.withLock { $0 }
    }
}
