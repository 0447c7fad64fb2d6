import QuickActions
import Shortcuts

/// Something that a commit did, to be logged and counted in the metrics.
package enum CommitNotice: Sendable {
    /// An admin write, with its audit entry.
    case written(AuditEntry)
    case deliveryExhausted(ExhaustedDelivery)
    /// `by` is nil if failures disabled it.
    case endpointDisabled(EndpointID, Endpoint.DisabledReason, by: Author?)
    /// A scheduled entry failed without effect.
    case scheduleFailed(AppID, ScheduleEntry, Failure)
    case quarantined(QuarantinedEntry)
    /// The guard of a roll-out stopped it.
    case rolloutStopped(AppID, SetName, RolloutEnd)
}

/// A schedule entry or a delivery that could not be read or run. It stays in the store, and other entries continue.
package struct QuarantinedEntry: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case schedule, delivery
    }

    package let kind: Kind
    package let id: String
    /// As stored; nil for a delivery.
    package let app: String?
    package let cause: String
}

/// A row that could not be read and was skipped.
package struct UnreadableRow: Sendable {
    package let table: String
    package let cause: String

    init(of table: String, _ failure: Failure) {
        self.table = table
        cause = failure.cause ?? failure.detail
    }
}

/// A delivery without attempts left in its retry schedule.
package struct ExhaustedDelivery: Sendable {
    package let id: DeliveryID
    package let endpointID: EndpointID
    package let webhookID: EventID
    package let type: EventType
    package let app: AppID?
    /// The attempts since the retry schedule began.
    package let attempts: Int
    /// The status and error of the last attempt. The error is a sentence.
    package let status: Int?
    package let error: String?
}
