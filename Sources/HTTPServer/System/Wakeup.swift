import CLinux
import Glibc

/// An eventfd. Any thread may call `signal`; the loop that owns it calls `clear`.
struct Wakeup: ~Copyable, Sendable {
    let descriptor: FileDescriptor

    init() throws(SystemError) {
        descriptor = FileDescriptor(owning: try check("eventfd", eventfd(0, lp_efd_flags)))
    }

    func signal() {
        _ = eventfd_write(descriptor.raw, 1)
    }

    func clear() {
        var count: eventfd_t = 0
        _ = eventfd_read(descriptor.raw, &count)
    }
}

/// A one-shot timerfd on CLOCK_MONOTONIC.
struct Timer: ~Copyable {
    let descriptor: FileDescriptor

    init() throws(SystemError) {
        descriptor = FileDescriptor(owning: try check("timerfd_create", timerfd_create(Int32(CLOCK_MONOTONIC), lp_tfd_flags)))
    }

    /// Makes the descriptor readable at that time of `Clock.monotonic`. Replaces the previous time.
    func set(_ time: UInt64) {
        var setting = itimerspec()
        setting.it_value.tv_sec = Int(clamping: time / 1_000_000_000)
        setting.it_value.tv_nsec = Int(time % 1_000_000_000)
        _ = timerfd_settime(descriptor.raw, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }

    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor.raw, &count, MemoryLayout<UInt64>.size)
    }
}
