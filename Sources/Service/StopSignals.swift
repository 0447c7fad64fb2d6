import Glibc
import Synchronization

/// Waits for SIGTERM or SIGINT by a handler that writes to a pipe. It is installed before anything is served: a dispatch source becomes
/// active some time after `activate`, and a signal before that would be lost.
final class StopSignals {
    private let reading: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        reading = ends[0]
        writing.store(ends[1], ordering: .relaxed)
        for number in [SIGTERM, SIGINT] {
            signal(number) { _ in
                let kept = errno
                var byte: UInt8 = 0
                _ = write(writing.load(ordering: .relaxed), &byte, 1)
                errno = kept
            }
        }
        // Writes to a closed peer, and beyond RLIMIT_FSIZE, fail with errno instead.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    deinit {
        for number in [SIGTERM, SIGINT] { signal(number, SIG_IGN) }
        close(writing.exchange(-1, ordering: .relaxed))
        close(reading)
    }

    func wait() {
        var byte: UInt8 = 0
        while read(reading, &byte, 1) < 0, errno == EINTR {}
    }
}

/// The pipe's write end. A global atomic, because a signal handler captures nothing and must not lock.
private let writing = Atomic<Int32>(-1)
