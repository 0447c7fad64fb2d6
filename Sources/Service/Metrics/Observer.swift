import HTTP
import HTTPServer
import Logging
import Shortcuts
import Webhooks

/// Counts what the server does, and says it in the log: an access line a request at debug, problems with their cause.
struct Observer: ServerObserver {
    let metrics: Metrics
    let logger: Logger

    func remembered(status: Int, nanoseconds: UInt64) {
        (status == 304 ? metrics.remembered.notModified : metrics.remembered.ok).add()
        metrics.latency.observe(nanoseconds: nanoseconds)
        logger.debug("request", metadata: ["route": "getShortcuts", "status": "\(status)", "from": "memory"])
    }

    /// The target without its query, which may hold anything.
    func answered(_ request: Request, route: String?, status: Int, nanoseconds: UInt64) {
        metrics.requests.add(route ?? "none", String(status))
        metrics.latency.observe(nanoseconds: nanoseconds)
        logger.log(
            level: status >= 500 ? .error : .debug, "request",
            metadata: [
                "request": "\(request.id)", "method": "\(request.method)", "path": "\(request.target.prefix { $0 != "?" })",
                "route": "\(route ?? "none")", "status": "\(status)", "milliseconds": "\(Double(nanoseconds / 1000) / 1000)",
                "address": "\(request.peerAddress)",
            ])
    }

    func refused(status: Int, detail: String, peerAddress: String) {
        metrics.requests.add("none", String(status))
        logger.debug("refused", metadata: ["status": "\(status)", "detail": "\(detail)", "address": "\(peerAddress)"])
    }
}

extension Metrics {
    func count(_ report: AttemptReport) {
        attempts.add("webhook", report.outcome.rawValue)
        attemptLatency.observe(nanoseconds: UInt64(clamping: report.duration.inMilliseconds) * 1_000_000)
    }
}
