import HTTP

extension HTTPServer {
    /// Defaults that run. Durations are counted by the server's own monotonic clock.
    package struct Configuration: Sendable {
        package var eventLoops = 1
        package var workers = 8
        /// Requests that may wait for a worker; over it, 503.
        package var workerQueueLimit = 1024
        /// Open connections over all event loops; at the ceiling, new ones wait in the kernel's queue.
        package var connectionLimit = 10_000
        package var limits = RequestParser.Limits()
        package var headerTimeout: Duration = .seconds(10)
        package var bodyTimeout: Duration = .seconds(30)
        package var idleTimeout: Duration = .seconds(75)
        /// Without any progress of a reader.
        package var writeTimeout: Duration = .seconds(30)
        /// How long what a client still sends is read and dropped after a refusal, so that it sees the answer.
        package var lingerTimeout: Duration = .seconds(2)

        package init() {}
    }
}

extension Duration {
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(clamping: max(0, seconds)) &* 1_000_000_000 &+ UInt64(clamping: max(0, attoseconds / 1_000_000_000))
    }
}
