import Dispatch
import Glibc
import Platform
import Synchronization

/// Writes log lines to a file descriptor on its own thread, so that event loops never wait for the reader of the log. Lines above `limit`
/// are dropped. Their number is logged when the reader continues. Any thread may call its functions.
final class LogWriter: Sendable {
    private struct Queue {
        var bytes: [UInt8] = []
        var dropped = 0
    }

    /// The largest size of the queue, in bytes: about ten thousand lines.
    private static let limit = 4 << 20

    private let descriptor: Int32
    private let dropMessage: @Sendable (Int) -> String
    private let queue = Mutex(Queue())
    let lostLines = Counter()
    private let thread = SerialThread("lp-log", isBackground: false)

    /// - Parameter dropMessage: formats the line about the number of dropped lines.
    init(descriptor: Int32 = STDERR_FILENO, dropMessage: @escaping @Sendable (Int) -> String) {
        self.descriptor = descriptor
        self.dropMessage = dropMessage
    }

    func write(_ line: String) {
        let isFirst = queue.withLock { queue in
            guard queue.bytes.count + line.utf8.count <= Self.limit else {
                queue.dropped += 1
                lostLines.add()
                return false
            }
            defer { queue.bytes += line.utf8 }
            return queue.bytes.isEmpty
        }
        if isFirst { thread.run { self.writeQueue() } }
    }

    /// Waits until the queue is written, for at most one second.
    func flush() {
        let isWritten = DispatchSemaphore(value: 0)
        thread.run {
            self.writeQueue()
            isWritten.signal()
        }
        _ = isWritten.wait(timeout: .now() + 1)
    }

    private func writeQueue() {
        let (bytes, dropped) = queue.withLock { queue in
            defer { queue = Queue() }
            return (queue.bytes, queue.dropped)
        }
        writeAll(dropped > 0 ? bytes + dropMessage(dropped).utf8 : bytes)
    }

    /// Ignores errors such as EPIPE: the service continues without a log.
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
