import Dispatch
import HTTP
import Platform
import Synchronization

/// The state that all loops of a server share.
final class SharedState: Sendable {
    let workers: WorkerPool
    let writers: WorkerPool
    /// Opens streams. Its queue has room for the limit of streams.
    let openers: WorkerPool
    let bodies: BodyBudget
    let metrics: any ServerMetrics
    /// False with `NoMetrics`; the clock is then not read.
    let isMeasured: Bool
    let maxConnections: Int
    let openConnections = Atomic<Int>(0)
    /// nil if connections are not limited per address.
    let addresses: AddressCounts?
    let streams: StreamLimits
    /// Each loop enters it, and leaves it when the loop ends.
    let loops = DispatchGroup()

    init(_ configuration: HTTPServer.Configuration, metrics: any ServerMetrics, maxConnections: Int) {
        workers = WorkerPool("lp-worker", width: configuration.workers, limit: configuration.workerQueueLimit, isBackground: false)
        writers = WorkerPool(
            "lp-writer", width: 4 * configuration.workers, limit: configuration.workerQueueLimit, isBackground: true)
        bodies = BodyBudget(bytes: configuration.bodyBudget)
        addresses = configuration.maxConnectionsPerAddress > 0 ? AddressCounts(limit: configuration.maxConnectionsPerAddress) : nil
        // Streams stay open, so some connections are reserved for requests.
        let streamLimit = min(configuration.maxStreams, maxConnections - min(64, maxConnections / 4))
        openers = WorkerPool(
            "lp-opener", width: min(4, configuration.workers), limit: max(configuration.workerQueueLimit, streamLimit), isBackground: false)
        streams = StreamLimits(limit: streamLimit, limitPerAddress: configuration.maxStreamsPerAddress)
        self.metrics = metrics
        isMeasured = !(metrics is NoMetrics)
        self.maxConnections = maxConnections
    }

    func bodyReservation(for decision: RouteDecision) -> BodyReservation {
        BodyReservation(in: bodies, for: decision.checks == .sender ? .authenticated : .anonymous)
    }
}
