import Dispatch
import QuickActions
import Synchronization

/// Wakes one sleeping thread. Raised many times before the thread looks, it wakes it once.
final class Signal: Sendable {
    private let isRaised = Mutex(false)
    private let semaphore = DispatchSemaphore(value: 0)

    func raise() {
        let isNew = isRaised.withLock { raised in
            defer { raised = true }
            return !raised
        }
        if isNew { semaphore.signal() }
    }

    /// Sleeps until it is raised or the time has come, and lowers it.
    func wait(atMost duration: Duration) {
        _ = semaphore.wait(timeout: .now() + .milliseconds(Int(max(duration.inMilliseconds, 0))))
        isRaised.withLock { $0 = false }
    }
}
