import HTTP
import HTTPServer
import Logging
import Synchronization

/// Says each refused or failed request in the log, with the id that was answered as `instance`, and counts refused tokens.
///
/// What is asked with a token and what has to do with tokens or with too many requests is always said. The rest can be caused
/// by anybody, as often as they like: at `info` each code has a `LineBudget`, at `debug` all is said.
final class RefusalLog: Sendable {
    private let metrics: Metrics
    private let logger: Logger
    private let saysAll: Bool
    private let budgets = Mutex<[String: LineBudget]>([:])

    init(metrics: Metrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
        saysAll = logger.logLevel <= .debug
    }

    func note(_ refusal: Refusal, of record: RequestRecord) {
        if let reason = TokenRefusal(refusal, record.status) { metrics.tokenRefusals[reason]?.add() }
        let level = Self.level(of: record.status)
        guard logger.logLevel <= level else { return }
        guard let leftOut = isAlwaysSaid(refusal, record.status) ? 0 : take(refusal.code) else { return }
        logger.log(level: level, Self.message(record.status), metadata: metadata(refusal, record, leftOut: leftOut))
    }

    private func isAlwaysSaid(_ refusal: Refusal, _ status: Status) -> Bool {
        saysAll || refusal.subject.token != nil || [.unauthorized, .forbidden, .tooManyRequests].contains(status)
    }

    private func take(_ code: String) -> Int? {
        let now = ContinuousClock.now
        return budgets.withLock { $0[code, default: LineBudget(at: now)].take(at: now) }
    }

    private func metadata(_ refusal: Refusal, _ record: RequestRecord, leftOut: Int) -> Logger.Metadata {
        var metadata = record.metadata
        metadata["code"] = .string(refusal.code)
        metadata["app"] = refusal.subject.app.map { .string($0) }
        metadata["token"] = refusal.subject.token.map { .string($0) }
        metadata["address"] = refusal.subject.address.map { .string($0) }
        metadata["cause"] = refusal.cause.map { .string($0) }
        if refusal.violationCount > 0 { metadata["violations"] = .stringConvertible(refusal.violationCount) }
        if leftOut > 0 { metadata["leftOut"] = .stringConvertible(leftOut) }
        // It quotes what was sent, so it is only there for who looks closely.
        if saysAll { metadata["detail"] = .string(refusal.detail) }
        return metadata
    }

    /// A method that is not known is the sender's affair, as every 4xx is.
    private static func level(of status: Status) -> Logger.Level {
        switch status {
        case .internalServerError: .error
        case .serviceUnavailable: .warning
        default: .info
        }
    }

    private static func message(_ status: Status) -> Logger.Message { status == .internalServerError ? "failed" : "refused" }
}

/// Why a token was turned away.
enum TokenRefusal: String, CaseIterable {
    /// There was none.
    case missing
    /// It is not known, revoked, or no bearer token.
    case unknown
    /// Its time is over.
    case expired
    /// Its role or its apps do not allow it.
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
    /// What every line about a request says.
    var metadata: Logger.Metadata {
        [
            "request": "\(id ?? "from memory")", "method": "\(method?.rawValue ?? "none")", "route": "\(route ?? "none")",
            "status": .stringConvertible(Int(status.code)),
            "milliseconds": .stringConvertible(Double(nanoseconds / 1000) / 1000),
        ]
    }
}
