import QuickActions
import Shortcuts

/// The stored part of an endpoint's answer.
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
    /// A whole answer, or one that was cut at 64 KiB.
    case answered(EndpointAnswer)
    /// No answer, or only its beginning. The error is a sentence.
    case failed(error: String, EndpointAnswer?)
    /// The request was not sent, because the URL or its address is not allowed. There is no retry.
    case refused(error: String)
}

/// A finished attempt, with everything that determines the next one.
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
