import Dispatch
import HTTP
import Synchronization

/// Serves HTTP/1.1 on one or more addresses, from `start` until `drain`.
package final class HTTPServer: Sendable {
    /// An address, and who answers what comes in by it.
    package struct Listener: Sendable {
        package let address: SocketAddress
        package let handler: any Handler

        package init(_ address: SocketAddress, _ handler: any Handler) {
            self.address = address
            self.handler = handler
        }
    }

    private let configuration: Configuration
    private let listeners: [Listener]
    private let share: ServerShare
    private let loops = Mutex<[EventLoop]>([])

    package init(
        configuration: Configuration = Configuration(), listeners: [Listener], metrics: any ServerMetrics = NoMetrics()
    ) {
        self.configuration = configuration
        self.listeners = listeners
        // Some descriptors are left for the store, for deliveries and for the loops themselves.
        let openFiles = OpenFileLimit.raise()
        let reserve = min(256, openFiles / 4)
        share = ServerShare(
            configuration, metrics: metrics, maxConnections: max(1, min(configuration.maxConnections, openFiles - reserve)))
    }

    /// Binds and begins to serve; see `bind`.
    package func start() throws(SystemError) -> [SocketAddress] {
        let addresses = try bind()
        serve()
        return addresses
    }

    /// Binds: who connects from now on waits until `serve`. Returns the bound addresses in the order of the listeners; port 0 has
    /// become a real one.
    package func bind() throws(SystemError) -> [SocketAddress] {
        HeapTrim.keepLargeBlocksApart()
        let count = max(1, configuration.eventLoops)
        var addresses = listeners.map(\.address)
        for address in addresses where count > 1 && address.port != 0 { try Socket.checkIsFree(address) }
        var loops: [EventLoop] = []
        for number in 0..<count {
            var sockets: [ListeningSocket] = []
            for (index, listener) in listeners.enumerated() {
                let descriptor = try Socket.listen(at: addresses[index], sharesPort: count > 1)
                if let bound = Socket.localAddress(descriptor.raw) { addresses[index] = addresses[index].with(port: bound.port) }
                sockets.append(ListeningSocket(descriptor, listener.handler))
            }
            loops.append(
                try EventLoop(label: "loop.\(number)", configuration: configuration, shared: share, listeners: sockets))
        }
        self.loops.withLock { $0 = loops }
        return addresses
    }

    /// To be called once, after `bind`.
    package func serve() {
        for loop in loops.withLock({ $0 }) { loop.start() }
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
