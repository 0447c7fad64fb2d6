import Dispatch
import QuickActions
import Synchronization

/// A binary event that wakes one waiting thread. Several raises before the wait count as one.
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

    /// Blocks until the signal is raised or the time is over, then resets it.
    func wait(atMost duration: Duration) {
        _ = semaphore.wait(timeout: .now() + .milliseconds(Int(max(duration.inMilliseconds, 0))))
        isRaised.withLock { $0 = false }
    }
}
