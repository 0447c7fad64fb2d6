import QuickActions
import Shortcuts

/// What came back from an endpoint, as far as it is kept.
package struct EndpointAnswer: Hashable, Sendable {
    package let status: Int
    package let retryAfter: String?
    /// The first 16 KiB of the content.
    package let response: String

    package init(status: Int, retryAfter: String? = nil, response: String = "") {
        self.status = status
        self.retryAfter = retryAfter
        self.response = response
    }
}

/// How an attempt ended.
package enum AttemptResult: Hashable, Sendable {
    /// A whole answer, or one that was ended at 64 KiB.
    case answered(EndpointAnswer)
    /// No answer, or only the beginning of one. The error is a sentence.
    case failed(error: String, EndpointAnswer?)
    /// Nothing was sent, because the address is not one to send to; trying again would not help.
    case refused(error: String)
}

/// An attempt that has ended, with all that the decision about the next one depends on.
package struct FinishedAttempt: Sendable {
    package let delivery: ClaimedDelivery
    package let startedAt: Timestamp
    package let duration: Duration
    package let result: AttemptResult
    package let reusedConnection: Bool

    package init(
        _ delivery: ClaimedDelivery, startedAt: Timestamp, duration: Duration, result: AttemptResult,
        reusedConnection: Bool = false
    ) {
        self.delivery = delivery
        self.startedAt = startedAt
        self.duration = duration
        self.result = result
        self.reusedConnection = reusedConnection
    }
}
