import Dispatch
import HTTP

/// An HTTP/1.1 server (RFC 9110, RFC 9112) on sockets: event loops in front, a bounded pool of workers behind.
package final class HTTPServer: Sendable {
    /// The addresses that were bound, in the order in which they were asked for.
    package let addresses: [SocketAddress]
    private let loops: [EventLoop]
    private let workers: WorkerPool

    /// Binds every address on every event loop; whoever connects waits until `start`.
    /// - Parameters:
    ///   - addresses: where to listen; port 0 picks a free one.
    ///   - makeRequestID: 16 fresh hexadecimal digits.
    package init(
        binding wanted: [SocketAddress], configuration: Configuration, makeRequestID: @escaping @Sendable () -> String
    ) throws(SystemError) {
        var configuration = configuration
        // Some descriptors are the database's, the dispatcher's and the process's own.
        configuration.connectionLimit = min(configuration.connectionLimit, max(16, raiseDescriptorLimit() - 256))
        workers = WorkerPool(width: configuration.workers, limit: configuration.workerQueueLimit)
        var loops: [EventLoop] = []
        for number in 0..<max(1, configuration.eventLoops) {
            loops.append(
                try EventLoop(number: number, configuration: configuration, workers: workers, makeRequestID: makeRequestID))
        }
        var addresses: [SocketAddress] = []
        for address in wanted {
            var address = address
            for (number, loop) in loops.enumerated() {
                let socket = try Sockets.listen(on: address)
                if number == 0 { address = address.withPort(of: try Sockets.localAddress(socket.number)) }
                loop.listen(on: socket)
            }
            addresses.append(address)
        }
        self.loops = loops
        self.addresses = addresses
    }

    /// - Parameter applications: what is served at each of the addresses.
    package func start(serving applications: [Application]) throws(SystemError) {
        for loop in loops { try loop.start(serving: applications) }
    }

    /// Closes the listeners, lets requests that have begun be answered, and closes what is left after the time.
    package func drain(within time: Duration) {
        for loop in loops { loop.drain() }
        let deadline = ContinuousClock.now + time
        while openConnections > 0, ContinuousClock.now < deadline { Pause.milliseconds(5) }
        for loop in loops { loop.stop() }
    }

    package var openConnections: Int { loops.reduce(0) { $0 + $1.connectionCount } }

    /// Requests that wait for a worker.
    package var queueDepth: Int { workers.depth }
}
