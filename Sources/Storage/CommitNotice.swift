import QuickActions
import Shortcuts

/// A part of a commit that is logged and counted in the metrics.
package enum CommitNotice: Sendable {
    /// An admin write, with its audit entry.
    case written(AuditEntry)
    case deliveryExhausted(ExhaustedDelivery)
    /// `by` is nil where failures disabled it.
    case endpointDisabled(EndpointID, Endpoint.DisabledReason, by: Author?)
    /// An entry that was due has changed nothing; its author has scheduled it.
    case scheduleFailed(AppID, ScheduleEntry, Failure)
    case quarantined(QuarantinedEntry)
}

/// An entry of the schedule, or a delivery, that could not be read or done. It stays in the store, and the others go on.
package struct QuarantinedEntry: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case schedule, delivery
    }

    package let kind: Kind
    package let id: String
    /// As it is stored; nil for a delivery.
    package let app: String?
    package let cause: String
}

/// A row that could not be read and was passed over.
package struct UnreadableRow: Sendable {
    package let table: String
    package let cause: String

    init(of table: String, _ failure: Failure) {
        self.table = table
        cause = failure.cause ?? failure.detail
    }
}

/// A delivery whose retry schedule is used up.
package struct ExhaustedDelivery: Sendable {
    package let id: DeliveryID
    package let endpointID: EndpointID
    package let webhookID: EventID
    package let type: EventType
    package let app: AppID?
    /// Attempts since the schedule began.
    package let attempts: Int
    /// The status of the last answer, and the last error as a sentence.
    package let status: Int?
    package let error: String?
}
