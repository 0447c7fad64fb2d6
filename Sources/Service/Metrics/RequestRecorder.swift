import HTTP
import HTTPServer
import Logging
import QuickActions
import Shortcuts
import Webhooks

/// Counts requests, logs refusals, and at debug logs every other request.
struct RequestRecorder: ServerMetrics {
    private let metrics: Metrics
    private let counts: LoopCounts
    private let logger: Logger
    private let refusals: RefusalLog
    /// The logger's level, read here because the fetch path must not access the logger's existential.
    private let level: LogLevel

    init(metrics: Metrics, logger: Logger, level: LogLevel) {
        self.init(metrics: metrics, logger: logger, level: level, refusals: RefusalLog(metrics: metrics, logger: logger))
    }

    private init(metrics: Metrics, logger: Logger, level: LogLevel, refusals: RefusalLog) {
        self.metrics = metrics
        self.logger = logger
        self.refusals = refusals
        self.level = level
        counts = metrics.countsOfLoop()
    }

    func ofLoop() -> any ServerMetrics { RequestRecorder(metrics: metrics, logger: logger, level: level, refusals: refusals) }

    func connectionOpened() {}

    func connectionClosed() {}

    var needsCacheHitIDs: Bool { level.isDebug }

    func streamEnded(_ end: StreamEnd) { metrics.endedStreams[end]?.add() }

    func eventsStreamed(_ count: Int) { metrics.streamedEvents.add(count) }

    func requestFinished(_ record: RequestRecord) {
        if record.isFromCache {
            counts.hits(of: record.route).add(record.status)
        } else {
            metrics.requests.add(record.route ?? "none", String(record.status.code))
        }
        counts.latency.observe(nanoseconds: record.nanoseconds)
        if let refusal = record.refusal {
            refusals.note(refusal, of: record)
        } else if level.isDebug {
            logger.debug("request", metadata: record.metadata)
        }
    }
}

extension Metrics {
    func count(_ report: AttemptReport) {
        attempts[report.outcome]?.add()
        attemptLatency.observe(nanoseconds: UInt64(clamping: report.duration.inMilliseconds) * 1_000_000)
    }
}
