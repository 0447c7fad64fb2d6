import QuickActions

/// One event on its way to one endpoint.
package struct Delivery: Sendable {
    package enum State: String, Sendable, CaseIterable {
        case pending, delivered, exhausted, held, cancelled
    }

    package let id: DeliveryID
    package let endpointID: EndpointID
    package let webhookID: EventID
    package let type: EventType
    /// Nil for a ping.
    package let app: AppID?
    /// The event as it is sent, the same in every attempt; nil where it was not asked for.
    package let body: String?
    package let state: State
    package let createdAt: Timestamp
    package let nextAttemptAt: Timestamp?
    /// Oldest first.
    package var attempts: [Attempt]

    package init(
        id: DeliveryID, endpointID: EndpointID, webhookID: EventID, type: EventType, app: AppID?, body: String? = nil, state: State,
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

/// One request that was made for a delivery, and what came of it.
package struct Attempt: Sendable {
    package let at: Timestamp
    package let durationMilliseconds: Int64
    /// Nil where no answer came.
    package let status: Int?
    /// A sentence; nil after a success.
    package let error: String?
    /// The first 16 KiB of the answer.
    package let response: String?
    /// Somebody asked for it, beside the schedule. The queue knows; it is not asked of whoever records an attempt.
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

/// A due delivery under a lease: enough to make the attempt without asking again.
package struct ClaimedDelivery: Sendable {
    package let id: DeliveryID
    /// The claim under which the outcome may be recorded.
    package let leaseToken: String
    package let endpoint: Endpoint
    package let event: Event
    /// How many attempts were recorded for this run of the schedule before this one.
    package let attemptsMade: Int

    package init(id: DeliveryID, leaseToken: String, endpoint: Endpoint, event: Event, attemptsMade: Int) {
        self.id = id
        self.leaseToken = leaseToken
        self.endpoint = endpoint
        self.event = event
        self.attemptsMade = attemptsMade
    }
}

/// The claim under which a delivery is.
package struct DeliveryLease: Hashable, Sendable {
    package let deliveryID: DeliveryID
    package let token: String

    package init(deliveryID: DeliveryID, token: String) {
        self.deliveryID = deliveryID
        self.token = token
    }
}

/// What an attempt leads to. The schedule decides it, the queue writes it.
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
    /// `Retry-After` on 429 and 503: nothing is sent to the endpoint before this.
    package let holdEndpointUntil: Timestamp?
    /// 410 disables the endpoint as `gone` at once.
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
