import Dispatch
import Glibc
import Synchronization
import Threads

/// Lines on their way to a file descriptor, written by a thread of its own: an event loop never waits for who reads the log.
/// Where nobody reads for long, what does not fit is counted and told once somebody does.
final class LogLines: Sendable {
    private struct Waiting {
        var bytes: [UInt8] = []
        var lost = 0
    }

    /// Bytes; some ten thousand lines.
    private static let bound = 4 << 20

    private let descriptor: Int32
    private let tellOfLoss: @Sendable (Int) -> String
    private let waiting = Mutex(Waiting())
    private let thread = SerialThread("lp-log", isBackground: false)

    /// - Parameter tellOfLoss: the line about so many that were lost.
    init(descriptor: Int32 = STDERR_FILENO, tellOfLoss: @escaping @Sendable (Int) -> String) {
        self.descriptor = descriptor
        self.tellOfLoss = tellOfLoss
    }

    func write(_ line: String) {
        let isFirst = waiting.withLock { waiting in
            guard waiting.bytes.count + line.utf8.count <= Self.bound else {
                waiting.lost += 1
                return false
            }
            defer { waiting.bytes += line.utf8 }
            return waiting.bytes.isEmpty
        }
        if isFirst { thread.run { self.writeOut() } }
    }

    /// Waits until what was written before is out, a second at most.
    func flush() {
        let isOut = DispatchSemaphore(value: 0)
        thread.run {
            self.writeOut()
            isOut.signal()
        }
        _ = isOut.wait(timeout: .now() + 1)
    }

    private func writeOut() {
        let (bytes, lost) = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return (waiting.bytes, waiting.lost)
        }
        writeAll(lost > 0 ? bytes + tellOfLoss(lost).utf8 : bytes)
    }

    /// A reader that has gone is no reason to stop: what it would have read is lost.
    private func writeAll(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                guard count > 0 || errno == EINTR || errno == EAGAIN else { return }
                if count > 0 {
                    written += count
                } else if errno == EAGAIN {
                    var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&event, 1, -1)
                }
            }
        }
    }
}
