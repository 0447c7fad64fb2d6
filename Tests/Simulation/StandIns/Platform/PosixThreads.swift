import Glibc
import SimulationKernel

// pthread's locks and conditions, for SerialThread: the build renames its calls to these. The kernel's objects are found by the address of
// the system's, which are never used.

private final class PosixLock {
    let core = LockCore()
    let queue = WaitQueue()
    var isOnWallClock = false
}

nonisolated(unsafe) private var locks: [UnsafeMutableRawPointer: PosixLock] = [:]
nonisolated(unsafe) private var nextIsOnWallClock = false

private func lock(at pointer: UnsafeMutableRawPointer) -> PosixLock {
    if let known = locks[pointer] { return known }
    let lock = PosixLock()
    locks[pointer] = lock
    return lock
}

@_cdecl("simulated_pthread_condattr_init")
func simulated_pthread_condattr_init(_ attributes: UnsafeMutableRawPointer) {}

@_cdecl("simulated_pthread_condattr_destroy")
func simulated_pthread_condattr_destroy(_ attributes: UnsafeMutableRawPointer) {}

@_cdecl("simulated_pthread_condattr_setclock")
func simulated_pthread_condattr_setclock(_ attributes: UnsafeMutableRawPointer, _ clock: clockid_t) {
    nextIsOnWallClock = clock == CLOCK_REALTIME
}

@_cdecl("simulated_pthread_cond_init")
func simulated_pthread_cond_init(_ condition: UnsafeMutableRawPointer, _ attributes: UnsafeMutableRawPointer) {
    let new = PosixLock()
    new.isOnWallClock = nextIsOnWallClock
    locks[condition] = new
}

@_cdecl("simulated_pthread_cond_destroy")
func simulated_pthread_cond_destroy(_ condition: UnsafeMutableRawPointer) {
    locks[condition] = nil
}

@_cdecl("simulated_pthread_mutex_init")
func simulated_pthread_mutex_init(_ mutex: UnsafeMutableRawPointer, _ attributes: UnsafeRawPointer?) {
    locks[mutex] = PosixLock()
}

@_cdecl("simulated_pthread_mutex_destroy")
func simulated_pthread_mutex_destroy(_ mutex: UnsafeMutableRawPointer) {
    locks[mutex] = nil
}

@_cdecl("simulated_pthread_mutex_lock")
func simulated_pthread_mutex_lock(_ mutex: UnsafeMutableRawPointer) {
    lock(at: mutex).core.lock()
}

@_cdecl("simulated_pthread_mutex_unlock")
func simulated_pthread_mutex_unlock(_ mutex: UnsafeMutableRawPointer) {
    lock(at: mutex).core.unlock()
}

@_cdecl("simulated_pthread_cond_signal")
func simulated_pthread_cond_signal(_ condition: UnsafeMutableRawPointer) {
    Kernel.wakeOne(lock(at: condition).queue)
}

@_cdecl("simulated_pthread_cond_wait")
func simulated_pthread_cond_wait(_ condition: UnsafeMutableRawPointer, _ mutex: UnsafeMutableRawPointer) {
    lock(at: mutex).core.wait(in: lock(at: condition).queue, until: nil)
}

@_cdecl("simulated_pthread_cond_timedwait")
func simulated_pthread_cond_timedwait(
    _ condition: UnsafeMutableRawPointer, _ mutex: UnsafeMutableRawPointer, _ end: UnsafePointer<timespec>
) {
    let condition = lock(at: condition)
    var now = timespec()
    clock_gettime(condition.isOnWallClock ? CLOCK_REALTIME : CLOCK_MONOTONIC, &now)
    let left = (end.pointee.tv_sec - now.tv_sec) * 1_000_000_000 + end.pointee.tv_nsec - now.tv_nsec
    lock(at: mutex).core.wait(in: condition.queue, until: Kernel.now + Int64(left))
}
