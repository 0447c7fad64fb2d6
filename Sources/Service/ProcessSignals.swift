import Glibc
import Synchronization

/// Receives signals with a handler that records them and writes to a pipe. One thread reads the pipe. The handlers are installed before
/// anything is served: a dispatch source becomes active only some time after `activate`, and earlier signals would be lost.
final class ProcessSignals {
    /// Their default action would end the process.
    private static let harmless = [SIGHUP, SIGUSR1, SIGUSR2]
    private static let stopping = [SIGTERM, SIGINT]

    private let reading: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        reading = ends[0]
        writing.store(ends[1], ordering: .sequentiallyConsistent)
        for number in Self.harmless + Self.stopping { Self.receive(number) }
        // Writes to a closed peer, and beyond RLIMIT_FSIZE, then fail with errno instead of a signal.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    deinit {
        for number in Self.harmless + Self.stopping { signal(number, SIG_IGN) }
        close(writing.exchange(-1, ordering: .sequentiallyConsistent))
        close(reading)
    }

    /// Stops signals that do not stop a service from ending the process. `next` returns them later. SIGTERM still ends the process.
    static func deferHarmless() {
        for number in harmless { receive(number) }
    }

    private static func receive(_ number: Int32) {
        signal(number) { number in
            let kept = errno
            received.bitwiseOr(1 << UInt64(number), ordering: .sequentiallyConsistent)
            var byte: UInt8 = 0
            // If the pipe is full, the reader wakes anyway.
            _ = write(writing.load(ordering: .sequentiallyConsistent), &byte, 1)
            errno = kept
        }
    }

    /// Waits for the next signal. Several signals with one number count as one.
    /// - Returns: nil after `limit`.
    func next(within limit: Duration? = nil) -> Int32? {
        let deadline = limit.map { ContinuousClock.now + $0 }
        while true {
            let waiting = received.load(ordering: .sequentiallyConsistent)
            if waiting != 0 {
                let number = waiting.trailingZeroBitCount
                received.bitwiseAnd(~(1 << UInt64(number)), ordering: .sequentiallyConsistent)
                return Int32(number)
            }
            let left = deadline.map { max(.zero, $0 - .now) }
            if left == .zero { return nil }
            var event = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            poll(&event, 1, left.map { Int32(clamping: $0.inMilliseconds + 1) } ?? -1)
            var bytes: [UInt8] = Array(repeating: 0, count: 64)
            _ = read(reading, &bytes, bytes.count)
        }
    }
}

// Globals, because a signal handler can capture nothing and must not lock.

/// The pipe's write end.
private let writing = Atomic<Int32>(-1)
/// A bit for each received signal that `next` has not returned yet.
private let received = Atomic<UInt64>(0)
