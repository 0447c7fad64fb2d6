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
