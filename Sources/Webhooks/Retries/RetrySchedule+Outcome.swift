import QuickActions
import Shortcuts

extension RetrySchedule {
    /// The outcome of an attempt: delivered, retried or exhausted.
    /// - Parameters:
    ///   - now: when the attempt ended.
    ///   - leaseToken: the claim under which it is recorded.
    package func outcome(of attempt: FinishedAttempt, leaseToken: String, now: Timestamp, random: RandomSource)
        -> DeliveryOutcome
    {
        let hold = attempt.result.retryAfter(now: now).map { now.adding($0.jittered(by: random())) }
        return DeliveryOutcome(
            deliveryID: attempt.delivery.id, leaseToken: leaseToken, endpointID: attempt.delivery.endpoint.id,
            attempt: attempt.record,
            next: next(after: attempt, now: now, random: random), holdEndpointUntil: hold,
            disablesEndpoint: attempt.result.isGone)
    }

    /// The delivery's own schedule decides. A hold applies to the endpoint, and an operator may lift it.
    private func next(after attempt: FinishedAttempt, now: Timestamp, random: RandomSource) -> DeliveryOutcome.Next {
        if attempt.result.isSuccess { return .delivered }
        guard attempt.result.mayBeRepeated,
            let delay = delay(afterAttempts: attempt.delivery.attemptsMade + 1, random: random())
        else { return .exhausted }
        return .retry(at: now.adding(delay))
    }
}

extension AttemptResult {
    var isSuccess: Bool {
        if case .answered(let answer) = self { (200..<300).contains(answer.status) } else { false }
    }

    var isGone: Bool {
        if case .answered(let answer) = self { answer.status == 410 } else { false }
    }

    fileprivate var mayBeRepeated: Bool {
        if case .refused = self { false } else { !isGone }
    }

    func retryAfter(now: Timestamp) -> RetryAfter? {
        guard case .answered(let answer) = self, answer.status == 429 || answer.status == 503 else { return nil }
        return answer.retryAfter.flatMap { RetryAfter($0, now: now) }
    }

    fileprivate var answer: EndpointAnswer? {
        switch self {
        case .answered(let answer): answer
        case .failed(_, let answer): answer
        case .refused: nil
        }
    }

    fileprivate var error: String? {
        switch self {
        case .answered(let answer): Self.error(status: answer.status)
        case .failed(let error, _), .refused(let error): error
        }
    }

    private static func error(status: Int) -> String? {
        switch status {
        case 200..<300: nil
        case 300..<400: "The endpoint answered \(status), but redirects are not followed."
        case 410: "The endpoint answered 410 (Gone) and was disabled."
        default: "The endpoint answered \(status)."
        }
    }
}

extension FinishedAttempt {
    fileprivate var record: Attempt {
        Attempt(
            at: startedAt, durationMilliseconds: duration.inMilliseconds, status: result.answer?.status, error: result.error,
            response: result.answer?.response)
    }
}

extension Timestamp {
    func adding(_ more: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + more) }
}
