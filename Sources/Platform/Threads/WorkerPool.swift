import Dispatch
import Synchronization

/// A pool of threads for jobs that may block, with a bounded queue. Any thread may submit jobs.
///
/// If no thread is idle, a job starts a new thread, up to `width`. Threads are named `name-1`, `name-2` and so on, and end with the pool.
package final class WorkerPool: Sendable {
    package typealias Job = @Sendable () -> Void

    private let workers: Workers
    private let name: String
    private let isBackground: Bool

    /// - Parameters:
    ///   - width: the largest number of threads.
    ///   - limit: the largest number of queued jobs.
    ///   - isBackground: see `NamedThread.start`.
    package init(_ name: String, width: Int, limit: Int, isBackground: Bool) {
        workers = Workers(width: max(1, width), limit: limit)
        self.name = name
        self.isBackground = isBackground
    }

    deinit { workers.stop() }

    /// - Returns: false if the queue is full or the system cannot start a thread. The job is then dropped.
    package func submit(_ job: @escaping Job) -> Bool {
        switch workers.submit(job) {
        case .accepted: return true
        case .refused: return false
        case .needsThread(let number):
            let first = FirstJob(job)
            let isStarted = NamedThread.startIfPossible("\(name)-\(number)", isBackground: isBackground) { [workers] in
                workers.run(from: first)
            }
            if !isStarted { workers.removeThread() }
            return isStarted
        }
    }

    /// The number of queued jobs.
    package var depth: Int { workers.depth }
}

/// The state that a pool shares with its threads. The threads outlive the pool until their jobs have ended.
private final class Workers: Sendable {
    private struct State {
        /// Threads that run a job, and threads that wait for a job.
        var working = 0
        var idle = 0
        /// Jobs for idle threads that were signalled but have not woken yet.
        var assigned: [WorkerPool.Job] = []
        var queue = JobQueue()
        var isStopped = false
    }

    enum Submission {
        case accepted, refused
        /// The caller starts a thread with this job.
        case needsThread(number: Int)
    }

    private let width: Int
    private let limit: Int
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init(width: Int, limit: Int) {
        self.width = width
        self.limit = limit
    }

    var depth: Int { state.withLock(\.queue.count) }

    func submit(_ job: @escaping WorkerPool.Job) -> Submission {
        let result: (Submission, wakes: Bool) = state.withLock { state in
            guard state.working < width else { return (state.queue.append(job, limit: limit) ? .accepted : .refused, false) }
            state.working += 1
            guard state.idle > 0 else { return (.needsThread(number: state.working), false) }
            state.idle -= 1
            state.assigned.append(job)
            return (.accepted, true)
        }
        if result.wakes { wake.signal() }
        return result.0
    }

    /// Undoes `needsThread` if the thread could not be started.
    func removeThread() { state.withLock { $0.working -= 1 } }

    /// The body of a thread: runs its first job, then queued and assigned ones until `stop`.
    func run(from first: FirstJob) {
        run(first.take())
        while let job = waitForJob() { run(job) }
    }

    /// Runs `job`, then the queue until it is empty.
    private func run(_ job: WorkerPool.Job?) {
        var job = job
        while let current = job {
            current()
            job = nextQueued()
        }
    }

    private func nextQueued() -> WorkerPool.Job? {
        state.withLock { state in
            if let job = state.queue.next() { return job }
            state.working -= 1
            state.idle += 1
            if state.isStopped { wake.signal() }
            return nil
        }
    }

    /// Waits for an assigned job; nil after `stop`.
    private func waitForJob() -> WorkerPool.Job? {
        wake.wait()
        return state.withLock { $0.assigned.isEmpty ? nil : $0.assigned.removeFirst() }
    }

    func stop() {
        let idle = state.withLock { state in
            state.isStopped = true
            return state.idle
        }
        for _ in 0..<idle { wake.signal() }
    }
}

/// The first job of a thread. `take` moves it out, so that the thread does not retain the objects of the job.
private final class FirstJob: Sendable {
    private let job: Mutex<WorkerPool.Job?>

    init(_ job: @escaping WorkerPool.Job) { self.job = Mutex(job) }

    func take() -> WorkerPool.Job? {
        job.withLock { job in
            defer { job = nil }
            return job
        }
    }
}

/// A bounded FIFO queue.
private struct JobQueue {
    private var jobs: [WorkerPool.Job?] = []
    /// The index of the next job. Earlier jobs are removed in batches.
    private var first = 0

    var count: Int { jobs.count - first }

    mutating func append(_ job: @escaping WorkerPool.Job, limit: Int) -> Bool {
        guard count < limit else { return false }
        jobs.append(job)
        return true
    }

    mutating func next() -> WorkerPool.Job? {
        guard first < jobs.count else { return nil }
        let job = jobs[first]
        jobs[first] = nil
        first += 1
        if first > 64, first * 2 > jobs.count {
            jobs.removeFirst(first)
            first = 0
        }
        return job
    }
}
