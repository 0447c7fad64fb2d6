import Glibc
import HTTP

extension HTTPServer {
    package struct Configuration: Sendable {
        /// The number of event loops; each uses at most one thread.
        package var eventLoops = Self.cores
        /// Worker threads for reads. There are four times as many writers: writers whose transactions are committed together wait for the
        /// disk once.
        package var workers = 4 * Self.cores
        /// Requests that may wait for a worker; above it 503.
        package var workerQueueLimit = 1024
        /// Bytes of the bodies of all requests in flight. Bodies of up to 16 KiB are not counted.
        package var bodyBudget = 128 << 20
        /// Open connections; fewer if RLIMIT_NOFILE is lower.
        package var maxConnections = 20_000
        /// Open connections of one IPv4 address or one IPv6 /64 network, but of trusted proxies; 0 for no such limit.
        package var maxConnectionsPerAddress = 0
        /// From a request's first byte (for the first request: from accept) to the end of its head.
        package var headerTimeout = Duration.seconds(10)
        /// From the end of the head to the end of the body; it is extended with every MiB.
        package var bodyTimeout = Duration.seconds(30)
        /// Between two requests of a connection.
        package var idleTimeout = Duration.seconds(75)
        /// Without progress in sending an answer.
        package var writeTimeout = Duration.seconds(30)
        /// After the last answer, while further input is read and discarded (RFC 9112 9.6).
        package var lingerTimeout = Duration.seconds(2)
        /// Open streams; fewer if `maxConnections` is not above it.
        package var maxStreams = 10_000
        /// Open streams of one IPv4 address or one IPv6 /64 network, by `Request.sender`; 0 for no such limit.
        package var maxStreamsPerAddress = 16
        /// Between two comments that keep a stream's connection alive.
        package var streamHeartbeat = Duration.seconds(20)
        /// After it a stream ends, 20 % more or less.
        package var streamLifetime = Duration.seconds(30 * 60)
        package var limits = RequestLimits()
        package var proxies = TrustedProxies()
        /// A request's id is this number in 16 hexadecimal digits.
        package var makeRequestID: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

        package init() {}

        func newRequestID() -> String {
            let digits = String(makeRequestID(), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }

        private static let cores = max(1, Int(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
