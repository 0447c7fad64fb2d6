import QuickActions
import Shortcuts

/// The delays between the attempts of a delivery, one entry per attempt: `0s,5s,5m` makes three, the first at once.
/// A delay is measured from the end of the previous attempt.
package struct RetrySchedule: Hashable, Sendable, CustomStringConvertible {
    package let delays: [Duration]

    package static let standard = RetrySchedule(
        trusted: [
            .zero, .seconds(5), .seconds(300), .seconds(1800), .seconds(2 * 3600), .seconds(5 * 3600), .seconds(10 * 3600),
            .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
        ])

    /// Parses the value of a flag: durations separated by commas.
    package init(parsing text: String) throws(TextError) {
        var delays: [Duration] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let word = String(entry).trimmingBlanks
            guard let delay = Duration(text: String(word)) else {
                throw TextError(
                    "\(quoted(String(word))) is not a delay. Use whole numbers with ms, s, m or h, separated by commas, "
                        + "for example 0s,5s,5m,30m.")
            }
            delays.append(delay)
        }
        guard delays.count <= 100 else {
            throw TextError("The schedule has \(delays.count) attempts. Use at most 100.")
        }
        self.delays = delays
    }

    private init(trusted delays: [Duration]) {
        self.delays = delays
    }

    package var description: String { delays.map(\.text).joined(separator: ",") }

    /// The delay before the next attempt in milliseconds, with ±20 % jitter, from the end of the previous attempt (the first: from the
    /// event); nil if the schedule has no more attempts.
    package func delay(afterAttempts made: Int, random: UInt64) -> Int64? {
        guard delays.indices.contains(made) else { return nil }
        return Int64(Double(delays[made].inMilliseconds) * (0.8 + 0.4 * random.unitInterval))
    }
}

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
            disablesEndpoint: attempt.result.isRemoved)
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

    var isRemoved: Bool {
        if case .answered(let answer) = self { answer.status == 410 } else { false }
    }

    fileprivate var mayBeRepeated: Bool {
        if case .refused = self { false } else { !isRemoved }
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

extension RetryAfter {
    /// Adds up to 20 %, so that retries spread out; still at most 24 hours.
    func jittered(by random: UInt64) -> Int64 {
        min(milliseconds + Int64(Double(milliseconds) * 0.2 * random.unitInterval), Self.maximum)
    }
}
