import Dispatch
import Glibc

/// Runs jobs one after another on a thread of its own, at once or at a later time. Any thread may hand it jobs.
///
/// The thread is there from the beginning, so that it has the priority of who made this, and ends when this goes; what has not come
/// due by then is dropped.
package final class SerialThread: Sendable {
    package typealias Job = @Sendable () -> Void

    private let jobs: JobQueue

    /// - Parameter isOnWallClock: whether what waits for its time follows a clock that is set.
    package init(_ name: String, givesWay: Bool, isOnWallClock: Bool = false) {
        let jobs = JobQueue(isOnWallClock ? CLOCK_REALTIME : CLOCK_MONOTONIC)
        self.jobs = jobs
        NamedThread.start(name, givesWay: givesWay) {
            while let job = jobs.next() { job() }
        }
    }

    deinit { jobs.end() }

    package func run(_ job: @escaping Job) { jobs.append(job) }

    /// Runs `job` then. It replaces the one that waits for its time for the same owner.
    package func run(after delay: Duration, for owner: AnyObject, _ job: @escaping Job) {
        jobs.set(ObjectIdentifier(owner), after: delay, job)
    }

    /// Runs `job` and waits for its end. Not to be called on the thread itself.
    package func runAndWait(_ job: @escaping Job) {
        let isDone = DispatchSemaphore(value: 0)
        run {
            job()
            isDone.signal()
        }
        isDone.wait()
    }
}

/// What a serial thread has to do.
///
/// `@unchecked`: `lock` owns all that changes.
private final class JobQueue: @unchecked Sendable {
    private let clock: clockid_t
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var ready: [SerialThread.Job] = []
    private var later: [ObjectIdentifier: (due: Duration, job: SerialThread.Job)] = [:]
    private var hasEnded = false

    init(_ clock: clockid_t) {
        self.clock = clock
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, clock)
        pthread_cond_init(change, &attributes)
        pthread_condattr_destroy(&attributes)
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    func append(_ job: @escaping SerialThread.Job) { update { ready.append(job) } }

    func set(_ owner: ObjectIdentifier, after delay: Duration, _ job: @escaping SerialThread.Job) {
        let due = now + delay
        update { later[owner] = (due, job) }
    }

    func end() { update { hasEnded = true } }

    private func update(_ body: () -> Void) {
        pthread_mutex_lock(lock)
        body()
        pthread_cond_signal(change)
        pthread_mutex_unlock(lock)
    }

    /// Waits for the next job; nil once it has ended and what was ready is done.
    func next() -> SerialThread.Job? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if !ready.isEmpty { return ready.removeFirst() }
            if hasEnded { return nil }
            guard let first = later.min(by: { $0.value.due < $1.value.due }) else {
                pthread_cond_wait(change, lock)
                continue
            }
            if first.value.due <= now {
                later[first.key] = nil
                return first.value.job
            }
            var time = timespec(first.value.due)
            pthread_cond_timedwait(change, lock, &time)
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
