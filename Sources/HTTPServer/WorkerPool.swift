import Dispatch
import Synchronization
import Threads

/// Runs jobs that may block, so many at a time and so many waiting. Any thread may hand it jobs.
///
/// Its threads are made when they are first needed and kept: `name-1`, `name-2` and so on. They end when the pool goes.
final class WorkerPool: Sendable {
    typealias Job = @Sendable () -> Void

    private let crew: Crew
    private let name: String
    private let givesWay: Bool

    /// `width` jobs run at a time, `limit` wait.
    /// - Parameter givesWay: whether its threads give way to those that answer fetches.
    init(_ name: String, width: Int, limit: Int, givesWay: Bool) {
        crew = Crew(width: max(1, width), limit: limit)
        self.name = name
        self.givesWay = givesWay
    }

    deinit { crew.dismiss() }

    /// False where too many are waiting already, or there is no thread to be had; the job is then dropped.
    func submit(_ job: @escaping Job) -> Bool {
        switch crew.take(job) {
        case .taken: return true
        case .refused: return false
        case .needsThread(let number):
            let first = FirstJob(job)
            let isStarted = NamedThread.startIfPossible("\(name)-\(number)", givesWay: givesWay) { [crew] in crew.work(first) }
            if !isStarted { crew.loseThread() }
            return isStarted
        }
    }

    /// How many jobs wait.
    var depth: Int { crew.depth }
}

/// The threads of a pool, and what they have to do.
private final class Crew: Sendable {
    private struct State {
        /// Threads with a job, and without one.
        var working = 0
        var idle = 0
        /// Jobs that idle threads were woken for.
        var handed: [WorkerPool.Job] = []
        var waiting = WaitingJobs()
        var isDismissed = false
    }

    enum Taken {
        case taken, refused
        /// It is to be the first job of a new thread.
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

    var depth: Int { state.withLock(\.waiting.count) }

    func take(_ job: @escaping WorkerPool.Job) -> Taken {
        let taken: (Taken, wakes: Bool) = state.withLock { state in
            guard state.working < width else { return (state.waiting.append(job, limit: limit) ? .taken : .refused, false) }
            state.working += 1
            guard state.idle > 0 else { return (.needsThread(number: state.working), false) }
            state.idle -= 1
            state.handed.append(job)
            return (.taken, true)
        }
        if taken.wakes { wake.signal() }
        return taken.0
    }

    /// The new thread could not be had.
    func loseThread() { state.withLock { $0.working -= 1 } }

    /// The life of a thread: runs its first job and then whatever there is.
    func work(_ first: FirstJob) {
        run(first.take())
        while let job = nextHanded() { run(job) }
    }

    /// Runs `job` and those that wait meanwhile.
    private func run(_ job: WorkerPool.Job?) {
        var job = job
        while let current = job {
            current()
            job = nextWaiting()
        }
    }

    private func nextWaiting() -> WorkerPool.Job? {
        state.withLock { state in
            if let job = state.waiting.next() { return job }
            state.working -= 1
            state.idle += 1
            if state.isDismissed { wake.signal() }
            return nil
        }
    }

    /// Waits; nil once there is nothing more to come.
    private func nextHanded() -> WorkerPool.Job? {
        wake.wait()
        return state.withLock { $0.handed.isEmpty ? nil : $0.handed.removeFirst() }
    }

    func dismiss() {
        let idle = state.withLock { state in
            state.isDismissed = true
            return state.idle
        }
        for _ in 0..<idle { wake.signal() }
    }
}

/// The job that a thread begins with. The thread lives longer than what the job holds.
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

/// First in, first out.
private struct WaitingJobs {
    private var jobs: [WorkerPool.Job?] = []
    /// Where those begin that were not taken.
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
