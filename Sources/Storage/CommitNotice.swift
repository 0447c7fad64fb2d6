import QuickActions
import Shortcuts

/// What a commit did that the operator is told of, in the log and in numbers.
package enum CommitNotice: Sendable {
    /// An admin write, of which there is an entry in the audit now.
    case written(AuditEntry)
    case deliveryExhausted(ExhaustedDelivery)
    /// By the author, where it was not by itself.
    case endpointDisabled(EndpointID, Endpoint.DisabledReason, by: Author?)
    /// The draft stays, without a time; the author is who gave it one.
    case scheduleFailed(AppID, Draft, Failure, by: Author)
}

/// A delivery that will not be attempted again by itself.
package struct ExhaustedDelivery: Sendable {
    package let id: DeliveryID
    package let endpointID: EndpointID
    package let webhookID: EventID
    package let type: EventType
    package let app: AppID?
    /// How many there were since its schedule began.
    package let attempts: Int
    /// What came of the last one: of the answer, and in a sentence.
    package let status: Int?
    package let error: String?
}
