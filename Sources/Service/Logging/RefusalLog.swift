import HTTP
import HTTPServer
import Logging
import Synchronization

/// Logs rejected and failed requests, with the id that was answered as `instance`, and counts rejected tokens.
///
/// Requests with a valid token are always logged, except 429 and `overloaded`, which are logged once a second per token. Anybody can cause
/// any number of the others, so at `info` each code has a `LogRateLimit`. At `debug`, all are logged.
final class RefusalLog: Sendable {
    private let metrics: Metrics
    private let logger: Logger
    private let limits = Mutex<[String: LogRateLimit]>([:])

    init(metrics: Metrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    private var logsAll: Bool { logger.logLevel <= .debug }

    func note(_ refusal: Refusal, of record: RequestRecord) {
        if let reason = TokenRefusal(refusal, record.status) { metrics.tokenRefusals[reason]?.add() }
        let level = Self.level(of: record.status)
        guard logger.logLevel <= level else { return }
        guard let skipped = isUnlimited(refusal, record.status) ? 0 : take(refusal) else { return }
        logger.log(level: level, Self.message(record.status), metadata: metadata(refusal, record, skipped: skipped))
    }

    private func isUnlimited(_ refusal: Refusal, _ status: Status) -> Bool {
        // A 401 has the name of a token only if that token has expired.
        logsAll || refusal.subject.token != nil && status != .unauthorized && !Self.isOfLimit(refusal)
    }

    /// Whether the request exceeded a limit. There may be very many such requests.
    private static func isOfLimit(_ refusal: Refusal) -> Bool {
        [ProblemType.tooManyRequests.code, ProblemType.overloaded.code].contains(refusal.code)
    }

    private func take(_ refusal: Refusal) -> Int? {
        let now = ContinuousClock.now
        let token = Self.isOfLimit(refusal) ? refusal.subject.token : nil
        let limit = LogRateLimit(at: now, burst: token == nil ? 100 : 1)
        return limits.withLock { $0[[refusal.code, token].compactMap(\.self).joined(separator: " "), default: limit].take(at: now) }
    }

    private func metadata(_ refusal: Refusal, _ record: RequestRecord, skipped: Int) -> Logger.Metadata {
        var metadata = record.metadata
        metadata["code"] = .string(refusal.code)
        metadata["app"] = refusal.subject.app.map { .string($0) }
        metadata["token"] = refusal.subject.token.map { .string($0) }
        metadata["address"] = refusal.subject.address.map { .string($0) }
        metadata["cause"] = refusal.cause.map { .string($0) }
        if refusal.violationCount > 0 { metadata["violations"] = .stringConvertible(refusal.violationCount) }
        if skipped > 0 { metadata["leftOut"] = .stringConvertible(skipped) }
        // The detail may quote the request, so it is logged only at `debug`.
        if logsAll { metadata["detail"] = .string(refusal.detail) }
        return metadata
    }

    /// 501 is `info` like every 4xx, because the client causes it.
    private static func level(of status: Status) -> Logger.Level {
        switch status {
        case .internalServerError: .error
        case .serviceUnavailable: .warning
        default: .info
        }
    }

    private static func message(_ status: Status) -> Logger.Message { status == .internalServerError ? "failed" : "refused" }
}

/// Why a token was rejected: a label in `/metrics`.
enum TokenRefusal: String, CaseIterable {
    /// The request has no `Authorization`.
    case missing
    /// The token is unknown, revoked, or not a bearer token.
    case unknown
    case expired
    /// The token's role or scope does not allow the request.
    case forbidden

    fileprivate init?(_ refusal: Refusal, _ status: Status) {
        switch status {
        case .unauthorized where refusal.subject.token != nil: self = .expired
        case .unauthorized: self = refusal.subject.hasCredentials ? .unknown : .missing
        case .forbidden: self = .forbidden
        default: return nil
        }
    }
}

extension RequestRecord {
    /// The metadata of each line about a request.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "request": "\(id ?? "none")", "method": "\(method?.rawValue ?? "none")", "route": "\(route ?? "none")",
            "status": .stringConvertible(Int(status.code)),
            "milliseconds": .stringConvertible(Double(nanoseconds / 1000) / 1000),
        ]
        metadata["trace"] = traceParent.map { .string(traceID(of: $0)) }
        return metadata
    }
}

/// The trace-id of a `traceparent` of version 00.
func traceID(of traceParent: String) -> String { String(traceParent.dropFirst(3).prefix(32)) }

/// A token bucket for log lines that clients can cause at will: a burst, then one line per second.
struct LogRateLimit {
    private let burst: Double
    private var tokens: Double
    private var skipped = 0
    private var refilledAt: ContinuousClock.Instant

    init(at now: ContinuousClock.Instant, burst: Double = 100) {
        (tokens, self.burst) = (burst, burst)
        refilledAt = now
    }

    /// Takes a token for one line.
    /// - Returns: the number of lines skipped since the last logged line; nil if this line must be skipped, too.
    mutating func take(at now: ContinuousClock.Instant) -> Int? {
        tokens = min(burst, tokens + max(0, (now - refilledAt) / .seconds(1)))
        refilledAt = now
        guard tokens >= 1 else {
            skipped += 1
            return nil
        }
        tokens -= 1
        defer { skipped = 0 }
        return skipped
    }
}
