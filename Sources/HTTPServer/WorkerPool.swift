import Dispatch
import Synchronization

/// Runs work that may block, so much at a time, on Dispatch's threads; what waits is bounded.
final class WorkerPool: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var first = 0
        var running = 0

        var depth: Int { waiting.count - first }

        mutating func next() -> (@Sendable () -> Void)? {
            guard first < waiting.count else {
                waiting.removeAll(keepingCapacity: true)
                first = 0
                return nil
            }
            let work = waiting[first]
            first += 1
            if first >= 256, first * 2 >= waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            return work
        }
    }

    private let width: Int
    private let limit: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "longpress.workers", attributes: .concurrent)

    init(width: Int, limit: Int) {
        self.width = width
        self.limit = limit
    }

    var depth: Int { state.withLock { $0.depth } }

    /// - Returns: false when too much is waiting already.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, startsWorker) = state.withLock { state -> (Bool, Bool) in
            guard state.depth < limit || state.running < width else { return (false, false) }
            state.waiting.append(work)
            guard state.running < width else { return (true, false) }
            state.running += 1
            return (true, true)
        }
        if startsWorker { queue.async { self.drain() } }
        return isTaken
    }

    private func drain() {
        while let work = next() { work() }
    }

    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            let work = state.next()
            if work == nil { state.running -= 1 }
            return work
        }
    }
}
