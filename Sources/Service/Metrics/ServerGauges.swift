import HTTPServer
import Synchronization

/// The server's own gauges. The server is made last, on routes that tell them.
final class ServerGauges: Sendable {
    private let server = Mutex<HTTPServer?>(nil)

    func read(from server: HTTPServer) {
        self.server.withLock { $0 = server }
    }

    var openConnections: Int { server.withLock { $0 }?.openConnections ?? 0 }
    var queueDepth: Int { server.withLock { $0 }?.workerQueueDepth ?? 0 }
}
