import Logging
import Shortcuts
import Storage
import Synchronization

/// Logs and counts the notices of commits.
struct CommitLog: Sendable {
    let metrics: Metrics
    let logger: Logger

    func note(_ notice: CommitNotice) {
        switch notice {
        case .written(let entry):
            logger.info("admin write", metadata: entry.metadata)
        case .deliveryExhausted(let delivery):
            metrics.exhaustedDeliveries.add()
            logger.info("delivery exhausted", metadata: delivery.metadata)
        case .endpointDisabled(let endpoint, let reason, let author):
            logger.info(
                "endpoint disabled",
                metadata: ["endpoint": "\(endpoint)", "reason": "\(reason.rawValue)"].merging(author?.metadata ?? [:]) { $1 })
        case .scheduleFailed(let app, let entry, let failure):
            metrics.failedSchedules.add()
            let metadata: Logger.Metadata = [
                "app": "\(app)", "version": "\(entry.version)", "audience": "\(entry.audience)", "kind": "\(entry.kind.rawValue)",
                "code": "\(failure.code.rawValue)",
                "violations": .stringConvertible(failure.violations.count),
            ]
            logger.warning("schedule failed", metadata: metadata.merging(entry.author.metadata) { $1 })
        case .rolloutStopped(let app, let set, let reason):
            metrics.stoppedRollouts.add()
            logger.warning(
                "roll-out stopped",
                metadata: [
                    "app": "\(app)", "version": "\(set.version)", "audience": "\(set.audience)", "reason": "\(reason.rawValue)",
                ])
        case .quarantined(let entry):
            var metadata: Logger.Metadata = ["kind": "\(entry.kind.rawValue)", "id": "\(entry.id)", "cause": "\(entry.cause)"]
            metadata["app"] = entry.app.map { .string($0) }
            logger.error("quarantined", metadata: metadata)
        }
    }
}

/// Counts unreadable rows and logs some of them. A list that contains such a row finds it again each time it is read.
final class UnreadableRowLog: Sendable {
    private let metrics: Metrics
    private let logger: Logger
    private let limit = Mutex(LogRateLimit(at: .now))

    init(metrics: Metrics, logger: Logger) {
        self.metrics = metrics
        self.logger = logger
    }

    func note(_ row: UnreadableRow) {
        metrics.unreadableRows.add()
        guard let skipped = limit.withLock({ $0.take(at: .now) }) else { return }
        logger.error(
            "unreadable row",
            metadata: ["table": "\(row.table)", "cause": "\(row.cause)", "skipped": .stringConvertible(skipped)])
    }
}

extension Author {
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["token": "\(token)", "address": "\(address)", "request": "\(request)"]
        metadata["trace"] = traceParent.map { .string(traceID(of: $0)) }
        metadata["tokenID"] = tokenID.map { .string($0.description) }
        metadata["owner"] = owner.map { .string($0.description) }
        metadata["role"] = role.map { .string($0.rawValue) }
        metadata["session"] = session.map { .string($0) }
        return metadata
    }
}

extension AuditEntry {
    fileprivate var metadata: Logger.Metadata {
        var metadata = author.metadata
        metadata["action"] = .string(action.rawValue)
        metadata["app"] = app.map { .string($0.description) }
        metadata["version"] = version.map { .string($0.description) }
        metadata["audience"] = audience.map { .string($0.description) }
        metadata["revision"] = revision.map { .stringConvertible($0) }
        metadata["target"] = target.map { target in
            let name: Logger.Metadata = target.name.map { ["name": .string($0)] } ?? [:]
            return .dictionary(name.merging(["kind": .string(target.kind.rawValue), "id": .string(target.id)]) { $1 })
        }
        metadata["reason"] = detail.reason.map { .string($0.description) }
        metadata["refusal"] = detail.refusal.map { .string($0) }
        for (name, settings) in [("before", detail.before), ("after", detail.after)] {
            metadata[name] = settings.map { .string(String(decoding: $0.encoded, as: UTF8.self)) }
        }
        return metadata
    }
}

extension ExhaustedDelivery {
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "delivery": "\(id)", "endpoint": "\(endpointID)", "webhookId": "\(webhookID)", "type": "\(type.rawValue)",
            "attempts": .stringConvertible(attempts),
        ]
        metadata["app"] = app.map { .string($0.description) }
        metadata["status"] = status.map { .stringConvertible($0) }
        metadata["error"] = error.map { .string($0) }
        return metadata
    }
}
