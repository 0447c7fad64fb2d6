import QuickActions

/// The delivery of one event to one endpoint.
package struct Delivery: Sendable {
    package enum State: String, Sendable, CaseIterable {
        case pending, delivered, exhausted, held, cancelled
    }

    package let id: DeliveryID
    package let endpointID: EndpointID
    package let webhookID: EventID
    package let type: EventType
    /// Nil for an event about a webhook.
    package let app: AppID?
    /// The body of every attempt, a JSON text.
    package let body: String
    package let state: State
    package let createdAt: Timestamp
    package let nextAttemptAt: Timestamp?
    /// Oldest first.
    package var attempts: [Attempt]

    package init(
        id: DeliveryID, endpointID: EndpointID, webhookID: EventID, type: EventType, app: AppID?, body: String, state: State,
        createdAt: Timestamp, nextAttemptAt: Timestamp?, attempts: [Attempt]
    ) {
        self.id = id
        self.endpointID = endpointID
        self.webhookID = webhookID
        self.type = type
        self.app = app
        self.body = body
        self.state = state
        self.createdAt = createdAt
        self.nextAttemptAt = nextAttemptAt
        self.attempts = attempts
    }
}

/// The delivery that blocks all later ones of an ordered endpoint: it is held, or it waits for a retry.
package struct BlockingDelivery: Equatable, Sendable {
    package let id: DeliveryID
    package let state: Delivery.State
    package let nextAttemptAt: Timestamp?

    package init(id: DeliveryID, state: Delivery.State, nextAttemptAt: Timestamp?) {
        self.id = id
        self.state = state
        self.nextAttemptAt = nextAttemptAt
    }
}

/// One HTTP request of a delivery, and its result.
package struct Attempt: Sendable {
    package let at: Timestamp
    package let durationMilliseconds: Int64
    /// Nil without a response.
    package let status: Int?
    /// A sentence about the failure; nil after a success.
    package let error: String?
    /// The first 16 KiB of the response body.
    package let response: String?
    /// Whether an owner requested the attempt, outside the retry schedule. The queue sets it; the dispatcher does not know.
    package let isManual: Bool

    package init(
        at: Timestamp, durationMilliseconds: Int64, status: Int?, error: String?, response: String?, isManual: Bool = false
    ) {
        self.at = at
        self.durationMilliseconds = durationMilliseconds
        self.status = status
        self.error = error
        self.response = response
        self.isManual = isManual
    }
}

/// A due delivery under a lease, with everything that an attempt needs.
package struct ClaimedDelivery: Sendable {
    package let id: DeliveryID
    /// Identifies the claim; the outcome is recorded only while it is current.
    package let leaseToken: String
    package let endpoint: Endpoint
    package let event: Event
    /// The number of earlier attempts in this run of the retry schedule.
    package let attemptsMade: Int

    package init(id: DeliveryID, leaseToken: String, endpoint: Endpoint, event: Event, attemptsMade: Int) {
        self.id = id
        self.leaseToken = leaseToken
        self.endpoint = endpoint
        self.event = event
        self.attemptsMade = attemptsMade
    }
}

/// A claim on a delivery.
package struct DeliveryLease: Hashable, Sendable {
    package let deliveryID: DeliveryID
    package let token: String

    package init(deliveryID: DeliveryID, token: String) {
        self.deliveryID = deliveryID
        self.token = token
    }
}

/// The outcome of an attempt: the retry schedule decides it, the queue records it.
package struct DeliveryOutcome: Sendable {
    package enum Next: Sendable {
        case delivered
        case retry(at: Timestamp)
        case exhausted
    }

    package let deliveryID: DeliveryID
    package let leaseToken: String
    package let endpointID: EndpointID
    package let attempt: Attempt
    package let next: Next
    /// From `Retry-After` on 429 and 503: no attempt to the endpoint is made before this time.
    package let holdEndpointUntil: Timestamp?
    /// Whether the endpoint is disabled as `removed`, after a 410.
    package let disablesEndpoint: Bool

    package init(
        deliveryID: DeliveryID, leaseToken: String, endpointID: EndpointID, attempt: Attempt, next: Next,
        holdEndpointUntil: Timestamp? = nil, disablesEndpoint: Bool = false
    ) {
        self.deliveryID = deliveryID
        self.leaseToken = leaseToken
        self.endpointID = endpointID
        self.attempt = attempt
        self.next = next
        self.holdEndpointUntil = holdEndpointUntil
        self.disablesEndpoint = disablesEndpoint
    }
}
