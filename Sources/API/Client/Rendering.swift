import Dispatch
import Synchronization

/// A rendering that is under way. Who wants the same waits for it.
final class Rendering: Sendable {
    struct Key: Hashable {
        let name: Representation.Name
        /// Who has seen a later change does not want what was read before it.
        let generation: Int
    }

    private let isDone = DispatchGroup()
    private let result = Mutex<Representation?>(nil)

    init() {
        isDone.enter()
    }

    func end(_ representation: Representation) {
        result.withLock { $0 = representation }
        isDone.leave()
    }

    func wait() -> Representation? {
        isDone.wait()
        return result.withLock { $0 }
    }
}
