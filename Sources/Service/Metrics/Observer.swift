import HTTP
import HTTPServer
import Logging
import Shortcuts
import Webhooks

/// Counts what the server does, and says it in the log: an access line a request at debug.
struct Observer: ServerMetrics {
    private let metrics: Metrics
    private let counts: LoopCounts
    private let logger: Logger
    private let logsRequests: Bool

    init(metrics: Metrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
        counts = metrics.countsOfLoop()
        logsRequests = logger.logLevel <= .debug
    }

    func ofLoop() -> any ServerMetrics { Observer(metrics: metrics, logger: logger) }

    func connectionOpened() {}

    func connectionClosed() {}

    func requestFinished(_ record: RequestRecord) {
        let isFromMemory = record.id == nil && record.route != nil
        if isFromMemory {
            counts.remembered(by: record.route).add(record.status)
        } else {
            metrics.requests.add(record.route ?? "none", String(record.status.code))
        }
        counts.latency.observe(nanoseconds: record.nanoseconds)
        guard logsRequests else { return }
        logger.debug(
            "request",
            metadata: [
                "request": "\(record.id ?? "from memory")", "method": "\(record.method?.rawValue ?? "none")",
                "route": "\(record.route ?? "none")", "status": "\(record.status.code)",
                "milliseconds": "\(Double(record.nanoseconds / 1000) / 1000)",
            ])
    }

    /// What went wrong inside, with the request's id; refusals that are the sender's affair at debug.
    func report(_ failure: Failure, request: String) {
        let isOurs = failure.code == .internalError || failure.code == .storageUnavailable
        logger.log(
            level: isOurs ? .error : .debug, "problem",
            metadata: [
                "request": "\(request)", "code": "\(failure.code.rawValue)", "cause": "\(failure.cause ?? failure.detail)",
            ])
    }
}

extension Metrics {
    func count(_ report: AttemptReport) {
        attempts[report.outcome]?.add()
        attemptLatency.observe(nanoseconds: UInt64(clamping: report.duration.inMilliseconds) * 1_000_000)
    }
}
