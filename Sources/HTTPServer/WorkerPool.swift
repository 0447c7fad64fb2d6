import Dispatch
import HTTP
import Synchronization

/// Runs jobs that may block, so many at a time and so many waiting.
final class WorkerPool: Sendable {
    typealias Job = @Sendable () -> Void

    private struct State {
        var idle: [DispatchQueue]
        var waiting: [Job?] = []
        /// Where the waiting jobs begin; those before it have been taken.
        var first = 0

        var depth: Int { waiting.count - first }

        mutating func next() -> Job? {
            guard first < waiting.count else { return nil }
            let job = waiting[first]
            waiting[first] = nil
            first += 1
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            return job
        }
    }

    private let state: Mutex<State>
    private let limit: Int
    private let prepare: @Sendable () -> Void

    /// `width` jobs run at a time, `limit` wait.
    /// - Parameter quality: sets apart the threads that it runs on.
    /// - Parameter prepare: called on a thread before each of its jobs.
    init(width: Int, limit: Int, quality: DispatchQoS = .utility, prepare: @escaping @Sendable () -> Void = {}) {
        // Serial queues, because each of them has a thread of its own while it works; a concurrent one has as many as there
        // are cores, however many of them are blocked. Of another quality of service than the event loops', whose threads they
        // would take over with their short slices.
        let queues = (0..<max(1, width)).map { DispatchQueue(label: "worker.\($0)", qos: quality) }
        state = Mutex(State(idle: queues))
        self.limit = limit
        self.prepare = prepare
    }

    /// False where too many are waiting already; the job is then dropped.
    func submit(_ job: @escaping Job) -> Bool {
        let (worker, isTaken): (DispatchQueue?, Bool) = state.withLock { state in
            if let worker = state.idle.popLast() { return (worker, true) }
            guard state.depth < limit else { return (nil, false) }
            state.waiting.append(job)
            return (nil, true)
        }
        if let worker {
            worker.async { self.work(job, on: worker) }
        }
        return isTaken
    }

    /// How many jobs wait.
    var depth: Int { state.withLock(\.depth) }

    /// Runs `job` and then whatever waits, until nothing does.
    private func work(_ job: Job, on worker: DispatchQueue) {
        prepare()
        var job = job
        while true {
            job()
            let next = state.withLock { state in
                let next = state.next()
                if next == nil { state.idle.append(worker) }
                return next
            }
            guard let next else { return }
            job = next
        }
    }
}
