import Dispatch
import Glibc

/// Runs jobs one after another on its own thread, at once or after a delay. Any thread may submit jobs.
///
/// `init` starts the thread. It ends after `deinit`, when the jobs that were submitted without a delay have run. Delayed jobs are dropped.
package final class SerialThread: Sendable {
    package typealias Job = @Sendable () -> Void

    private let jobs: JobQueue

    /// - Parameter isOnWallClock: whether delays follow the system's time (CLOCK_REALTIME) when it is set; otherwise CLOCK_MONOTONIC.
    package init(_ name: String, isBackground: Bool, isOnWallClock: Bool = false) {
        let jobs = JobQueue(isOnWallClock ? CLOCK_REALTIME : CLOCK_MONOTONIC)
        self.jobs = jobs
        NamedThread.start(name, isBackground: isBackground) {
            while let job = jobs.next() { job() }
        }
    }

    deinit { jobs.end() }

    package func run(_ job: @escaping Job) { jobs.append(job) }

    /// Runs `job` after the delay. An owner has one delayed job: this replaces the previous one.
    package func run(after delay: Duration, for owner: AnyObject, _ job: @escaping Job) {
        jobs.set(ObjectIdentifier(owner), after: delay, job)
    }

    /// Runs `job` and waits for its end. Must not be called on the thread itself.
    package func runAndWait(_ job: @escaping Job) {
        let isDone = DispatchSemaphore(value: 0)
        run {
            job()
            isDone.signal()
        }
        isDone.wait()
    }
}

/// The jobs of a serial thread. The queue outlives the thread's owner until they have run.
///
/// `@unchecked`: `lock` owns the mutable state.
private final class JobQueue: @unchecked Sendable {
    private let clock: clockid_t
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var ready: [SerialThread.Job] = []
    private var delayed: [ObjectIdentifier: (due: Duration, job: SerialThread.Job)] = [:]
    private var hasEnded = false

    init(_ clock: clockid_t) {
        self.clock = clock
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, clock)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(lock)
        condition.deallocate()
        lock.deallocate()
    }

    func append(_ job: @escaping SerialThread.Job) { update { ready.append(job) } }

    func set(_ owner: ObjectIdentifier, after delay: Duration, _ job: @escaping SerialThread.Job) {
        let due = now + delay
        update { delayed[owner] = (due, job) }
    }

    func end() { update { hasEnded = true } }

    private func update(_ body: () -> Void) {
        pthread_mutex_lock(lock)
        body()
        pthread_cond_signal(condition)
        pthread_mutex_unlock(lock)
    }

    /// Waits for the next job. Nil after `end`, when no job is ready.
    func next() -> SerialThread.Job? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if !ready.isEmpty { return ready.removeFirst() }
            if hasEnded { return nil }
            guard let first = delayed.min(by: { $0.value.due < $1.value.due }) else {
                pthread_cond_wait(condition, lock)
                continue
            }
            if first.value.due <= now {
                delayed[first.key] = nil
                return first.value.job
            }
            var time = timespec(first.value.due)
            pthread_cond_timedwait(condition, lock, &time)
        }
    }

    private var now: Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

extension timespec {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
