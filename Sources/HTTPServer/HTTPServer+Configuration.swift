import Glibc
import HTTP

extension HTTPServer {
    package struct Configuration: Sendable {
        /// Each is one thread at most.
        package var eventLoops = Self.cores
        /// Requests that may run beside the loops at a time, and four times as many that wait for the store's writer: those who
        /// wait for the disk together wait once.
        package var workers = 4 * Self.cores
        /// Requests that may wait for a worker; above it 503.
        package var workerQueueLimit = 1024
        /// Bytes of all bodies that are being read or answered at a time, but for those so small that they go with their connection.
        package var bodyBudget = 128 << 20
        /// Connections that may be open at a time; fewer where the limit of open files is lower.
        package var maxConnections = 10_000
        /// Connections that one IPv4 address, or one IPv6 network of 64 bits, may have at a time; 0 for no such limit, which is
        /// right behind a proxy.
        package var maxConnectionsPerAddress = 0
        /// From the first byte of a request (of a connection's first: from when it was accepted) to the end of its head.
        package var headerTimeout = Duration.seconds(10)
        /// From the end of the head to the end of the body; begins anew with every MiB.
        package var bodyTimeout = Duration.seconds(30)
        /// Between two requests.
        package var idleTimeout = Duration.seconds(75)
        /// Without a byte of an answer being taken.
        package var writeTimeout = Duration.seconds(30)
        /// For how long is read what nobody wants any more, so that the client gets to read the last answer.
        package var lingerTimeout = Duration.seconds(2)
        package var limits = RequestLimits()
        /// Ids are the sixteen hexadecimal digits of this.
        package var makeRequestID: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

        package init() {}

        /// An id for one more request.
        func newRequestID() -> String {
            let digits = String(makeRequestID(), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }

        private static let cores = max(1, Int(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
