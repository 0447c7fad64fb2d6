import Dispatch
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
