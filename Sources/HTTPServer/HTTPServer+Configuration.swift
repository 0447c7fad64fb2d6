import Glibc
import HTTP

extension HTTPServer {
    package struct Configuration: Sendable {
        /// The number of event loops; each uses at most one thread.
        package var eventLoops = Self.cores
        /// Worker threads for reads. There are four times as many writer threads: transactions that are committed together wait for the
        /// disk once.
        package var workers = 4 * Self.cores
        /// The most requests that wait for a worker; above it 503.
        package var workerQueueLimit = 1024
        /// The most bytes of the bodies of all requests in flight. Bodies of up to 16 KiB are not counted.
        package var bodyBudget = 128 << 20
        /// The most open connections. Fewer if RLIMIT_NOFILE is lower.
        package var maxConnections = 20_000
        /// The most open connections of one IPv4 address or one IPv6 /64 network, except trusted proxies; 0 for no limit.
        package var maxConnectionsPerAddress = 0
        /// The time from a request's first byte (for the first request: from accept) to the end of its head.
        package var headerTimeout = Duration.seconds(10)
        /// The time from the end of the head to the end of the body. Every MiB extends it.
        package var bodyTimeout = Duration.seconds(30)
        /// The time between two requests of a connection.
        package var idleTimeout = Duration.seconds(75)
        /// The time without progress in sending an answer.
        package var writeTimeout = Duration.seconds(30)
        /// The time after the last answer in which further input is read and discarded (RFC 9112 9.6).
        package var lingerTimeout = Duration.seconds(2)
        /// The most open streams. Fewer if `maxConnections` is not above it.
        package var maxStreams = 10_000
        /// The most open streams of one IPv4 address or one IPv6 /64 network, by `Request.sender`; 0 for no limit.
        package var maxStreamsPerAddress = 16
        /// The time between two comments that keep a stream's connection open.
        package var streamHeartbeat = Duration.seconds(20)
        /// The time after which a stream ends, plus or minus 20 %.
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
