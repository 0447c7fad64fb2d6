import Glibc
import Synchronization

/// SIGTERM and SIGINT, waited for. Made before anything is served, so that none is missed: a source of Dispatch is only at work
/// some time after it was activated, and what comes before is lost.
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
        // A peer that has gone, and a file at its size limit, are told by errno.
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

/// Where a handler, which can hold nothing and take no lock, leaves word: the pipe's end to write to.
private let writing = Atomic<Int32>(-1)
