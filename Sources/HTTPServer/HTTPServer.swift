import Dispatch
import Glibc
import HTTP
import Synchronization

/// An HTTP/1.1 server. `init` binds the addresses, `serve` answers requests until `drain`. Any thread may call its functions.
package final class HTTPServer: Sendable {
    /// The bound addresses in the requested order, with real ports instead of port 0.
    package let addresses: [SocketAddress]
    private let configuration: Configuration
    private let share: SharedState
    /// One socket per event loop and address; empty from `serve` on.
    private let sockets: Mutex<[[ListeningSocket]]>
    private let loops = Mutex<[EventLoop]>([])

    /// Binds and listens. Clients that connect before `serve` wait in the accept queue.
    package init(
        binding addresses: [SocketAddress], configuration: Configuration = Configuration(), metrics: any ServerMetrics = NoMetrics()
    ) throws(SystemError) {
        self.configuration = configuration
        share = SharedState(
            configuration, metrics: metrics,
            maxConnections: Self.ceiling(of: configuration.maxConnections, within: OpenFileLimit.raise()))
        HeapTrim.setThresholds()
        let loopCount = max(1, configuration.eventLoops)
        for address in addresses where loopCount > 1 && address.port != 0 { try Socket.checkIsFree(address) }
        var bound = addresses
        var sockets: [[ListeningSocket]] = []
        for _ in 0..<loopCount {
            var loopSockets: [ListeningSocket] = []
            for index in bound.indices {
                let socket = ListeningSocket(try Socket.listen(at: bound[index], sharesPort: loopCount > 1))
                if let address = Socket.localAddress(socket.raw) { bound[index] = bound[index].with(port: address.port) }
                loopSockets.append(socket)
            }
            sockets.append(loopSockets)
        }
        self.addresses = bound
        self.sockets = Mutex(sockets)
    }

    /// The number of connections within a limit of open files. Some descriptors are reserved for the store, for deliveries and for the
    /// loops.
    package static func ceiling(of maxConnections: Int, within openFiles: Int) -> Int {
        max(1, min(maxConnections, openFiles - min(256, openFiles / 4)))
    }

    /// Starts the event loops. Must be called once.
    /// - Parameter handlers: one for each address, in the same order.
    package func serve(_ handlers: [any Handler]) throws(SystemError) {
        let sockets = self.sockets.withLock { sockets in
            defer { sockets = [] }
            return sockets
        }
        var loops: [EventLoop] = []
        for (number, loopSockets) in sockets.enumerated() {
            let listeners = zip(loopSockets, handlers).map(Listener.init)
            loops.append(
                try EventLoop(label: "loop.\(number)", configuration: configuration, shared: share, listeners: listeners))
        }
        self.loops.withLock { $0 = loops }
        for loop in loops { loop.start() }
    }

    package var openConnections: Int { share.openConnections.load(ordering: .relaxed) }

    /// The limits after the limit of open files was applied.
    package var maxConnections: Int { share.maxConnections }
    package var maxStreams: Int { share.streams.limit }

    package var openStreams: Int { share.streams.openStreams }

    /// Sends events to the streams of their topics, in order and after those of earlier calls. Does not block.
    package func send(_ events: [StreamedEvent]) { post(.events(events)) }

    /// Ends all streams.
    package func restartStreams() { post(.restartStreams) }

    /// Ends the streams whose `StreamAccess` has ended.
    package func endStreamsWithoutAccess() { post(.endStreamsWithoutAccess) }

    /// Replaces the trusted proxies for new requests and connections.
    package func trust(_ proxies: TrustedProxies) { post(.proxies(proxies)) }

    private func post(_ message: Mailbox.Message) {
        for loop in loops.withLock({ $0 }) { loop.mailbox.post(message) }
    }

    /// Whether every event loop has run since the last call. Each call asks the loops to run.
    package func haveLoopsTurned() -> Bool {
        let loops = self.loops.withLock { $0 }
        let haveTurned = loops.allSatisfy(\.mailbox.hasTurned)
        for loop in loops { loop.mailbox.askForTurn() }
        return haveTurned
    }

    /// The number of requests that wait for a worker, a writer or an opener thread.
    package var workerQueueDepth: Int { share.workers.depth + share.writers.depth + share.openers.depth }

    /// Ends streams, stops accepting, closes idle connections and answers the requests that have begun with `Connection: close`. A drained
    /// server cannot serve again.
    ///
    /// Blocks until all connections are closed. After `timeout`, closes the remaining ones.
    /// - Returns: the number of connections that the timeout closed.
    @discardableResult
    package func drain(timeout: Duration) -> Int {
        let loops = self.loops.withLock { loops in
            let taken = loops
            loops = []
            return taken
        }
        for loop in loops { loop.mailbox.post(.drain) }
        let nanoseconds = Int(clamping: timeout.nanoseconds)
        guard share.loops.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .timedOut else { return 0 }
        let rest = share.openConnections.load(ordering: .relaxed)
        for loop in loops { loop.mailbox.post(.stop) }
        _ = share.loops.wait(timeout: .now() + .seconds(5))
        return rest
    }
}

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
