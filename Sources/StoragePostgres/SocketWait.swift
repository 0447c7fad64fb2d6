import Glibc

/// poll(2) on one socket with a deadline: a pooler or a frozen server may acknowledge TCP and never answer.
enum SocketWait {
    /// - Returns: the events; 0 at the deadline.
    static func wait(for events: Int16, on socket: Int32, until deadline: ContinuousClock.Instant) -> Int16 {
        while true {
            var watched = pollfd(fd: socket, events: events, revents: 0)
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return 0 }
            // Rounded up to avoid a busy loop in the last millisecond.
            let milliseconds = min(left / .milliseconds(1), 3_600_000).rounded(.up)
            switch poll(&watched, 1, Int32(milliseconds)) {
            case 0: continue
            case -1 where errno == EINTR: continue
            case -1: return Int16(POLLERR)
            default: return watched.revents
            }
        }
    }
}
