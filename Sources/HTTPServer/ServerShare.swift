import Dispatch
import HTTP
import Synchronization

/// What all loops of a server have in common.
final class ServerShare: Sendable {
    let workers: WorkerPool
    let writers: WorkerPool
    let bodies: BodyBudget
    let metrics: any ServerMetrics
    /// Whether anyone looks at the metrics, so that the clock has to be read.
    let isMeasured: Bool
    let maxConnections: Int
    let openConnections = Atomic<Int>(0)
    /// nil where an address may have as many connections as there are.
    let addresses: AddressCounts?
    /// Left by each loop that has ended.
    let loops = DispatchGroup()

    init(_ configuration: HTTPServer.Configuration, metrics: any ServerMetrics, maxConnections: Int) {
        workers = WorkerPool("lp-worker", width: configuration.workers, limit: configuration.workerQueueLimit, givesWay: false)
        writers = WorkerPool(
            "lp-writer", width: 4 * configuration.workers, limit: configuration.workerQueueLimit, givesWay: true)
        bodies = BodyBudget(bytes: configuration.bodyBudget)
        addresses = configuration.maxConnectionsPerAddress > 0 ? AddressCounts(limit: configuration.maxConnectionsPerAddress) : nil
        self.metrics = metrics
        isMeasured = !(metrics is NoMetrics)
        self.maxConnections = maxConnections
    }

    /// Who has to be admitted is known by the time there is a large body.
    func room(for decision: RouteDecision) -> BodyRoom {
        BodyRoom(in: bodies, for: decision.admission == nil ? .unknown : .known)
    }
}

/// A socket that is bound and listens; closed with the last who holds it.
final class BoundSocket: Sendable {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    var raw: Int32 { descriptor.raw }
}

/// A listening socket of one loop, and who answers what comes in by it.
final class ListeningSocket {
    private let socket: BoundSocket
    let handler: any Handler
    let memory: (any AnswerMemory)?

    init(_ socket: BoundSocket, _ handler: any Handler) {
        self.socket = socket
        self.handler = handler
        memory = handler.makeMemory()
    }

    var raw: Int32 { socket.raw }
}
