import CLinux
import Glibc

/// An epoll set.
struct Epoll: ~Copyable {
    struct Events: OptionSet {
        let rawValue: UInt32
        static let readable = Events(rawValue: lp_epollin)
        static let writable = Events(rawValue: lp_epollout)
        /// The peer has shut down its sending side.
        static let ended = Events(rawValue: lp_epollrdhup)
        static let hungUp = Events(rawValue: lp_epollhup)
        static let failed = Events(rawValue: lp_epollerr)
        /// Edge-triggered: reported when the state changes, not while it lasts.
        static let edge = Events(rawValue: lp_epollet)
    }

    let descriptor: FileDescriptor
    private let ready: UnsafeMutableBufferPointer<epoll_event>

    /// - Parameter capacity: the number of events that one `poll` can report.
    init(capacity: Int) throws(SystemError) {
        descriptor = FileDescriptor(owning: try check("epoll_create1", epoll_create1(lp_epoll_cloexec)))
        ready = .allocate(capacity: capacity)
        ready.initialize(repeating: epoll_event())
    }

    deinit { ready.deallocate() }

    /// Watches `raw`; its events are reported with `token`. Closing a descriptor removes it from the set.
    func add(_ raw: Int32, _ events: Events, token: UInt64) throws(SystemError) {
        var event = epoll_event(events: events.rawValue, data: epoll_data_t(u64: token))
        try check("epoll_ctl", epoll_ctl(descriptor.raw, EPOLL_CTL_ADD, raw, &event))
    }

    func remove(_ raw: Int32) {
        var event = epoll_event()
        _ = epoll_ctl(descriptor.raw, EPOLL_CTL_DEL, raw, &event)
    }

    /// Waits up to `timeout` milliseconds for events.
    /// - Returns: the number of events, which the subscript has until the next call.
    func poll(timeout: Int32) -> Int {
        let count = epoll_wait(descriptor.raw, ready.baseAddress, Int32(ready.count), timeout)
        return max(0, Int(count))
    }

    /// The event at an index below what `poll` returned.
    subscript(index: Int) -> (token: UInt64, events: Events) {
        let event = ready[index]
        return (event.data.u64, Events(rawValue: event.events))
    }
}

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
