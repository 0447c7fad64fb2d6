import Dispatch
import HTTP
import Synchronization

/// Serves HTTP/1.1 on one or more addresses, which are bound when it is made, from `serve` until `drain`.
package final class HTTPServer: Sendable {
    /// The bound addresses, in the order in which they were asked for; port 0 has become a real one.
    package let addresses: [SocketAddress]
    private let configuration: Configuration
    private let share: ServerShare
    /// For each event loop a socket for each address; empty from `serve` on.
    private let sockets: Mutex<[[BoundSocket]]>
    private let loops = Mutex<[EventLoop]>([])

    /// Binds: who connects from now on waits until `serve`.
    package init(
        binding addresses: [SocketAddress], configuration: Configuration = Configuration(), metrics: any ServerMetrics = NoMetrics()
    ) throws(SystemError) {
        self.configuration = configuration
        // Some descriptors are left for the store, for deliveries and for the loops themselves.
        let openFiles = OpenFileLimit.raise()
        let reserve = min(256, openFiles / 4)
        share = ServerShare(
            configuration, metrics: metrics, maxConnections: max(1, min(configuration.maxConnections, openFiles - reserve)))
        HeapTrim.keepLargeBlocksApart()
        let loopCount = max(1, configuration.eventLoops)
        for address in addresses where loopCount > 1 && address.port != 0 { try Socket.checkIsFree(address) }
        var bound = addresses
        var sockets: [[BoundSocket]] = []
        for _ in 0..<loopCount {
            var ofLoop: [BoundSocket] = []
            for index in bound.indices {
                let socket = BoundSocket(try Socket.listen(at: bound[index], sharesPort: loopCount > 1))
                if let address = Socket.localAddress(socket.raw) { bound[index] = bound[index].with(port: address.port) }
                ofLoop.append(socket)
            }
            sockets.append(ofLoop)
        }
        self.addresses = bound
        self.sockets = Mutex(sockets)
    }

    /// To be called once.
    /// - Parameter handlers: who answers what comes in, one for each address.
    package func serve(_ handlers: [any Handler]) throws(SystemError) {
        let sockets = self.sockets.withLock { sockets in
            defer { sockets = [] }
            return sockets
        }
        var loops: [EventLoop] = []
        for (number, ofLoop) in sockets.enumerated() {
            let listeners = zip(ofLoop, handlers).map(ListeningSocket.init)
            loops.append(
                try EventLoop(label: "loop.\(number)", configuration: configuration, shared: share, listeners: listeners))
        }
        self.loops.withLock { $0 = loops }
        for loop in loops { loop.start() }
    }

    package var openConnections: Int { share.openConnections.load(ordering: .relaxed) }

    /// How many requests wait for a worker.
    package var workerQueueDepth: Int { share.workers.depth + share.writers.depth }

    /// Stops accepting, closes idle connections, answers requests that have begun, with `Connection: close`.
    ///
    /// Blocks until all connections are closed or the time is over, when the rest is cut off. Returns how many that were.
    /// A server that was drained stays closed.
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
