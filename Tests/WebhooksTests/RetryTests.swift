import QuickActions
import Shortcuts
import Testing

@testable import Webhooks

private let now = Timestamp(milliseconds: 784_111_777_000 + 500)  // Sun, 06 Nov 1994 08:49:37.5 GMT
private let most: RandomSource = { .max }
private let least: RandomSource = { 0 }

private func decide(
    _ result: AttemptResult, made: Int = 0, schedule: String = "0s,10s,20s", random: @escaping RandomSource = least
) throws -> DeliveryOutcome {
    let endpoint = Endpoint(id: "e", url: EndpointURL(stored: "http://a/"), createdAt: now, secrets: SigningSecrets(current: ""))
    let event = Event(id: "m", type: .ping, app: nil, occurredAt: now, body: [])
    let claimed = ClaimedDelivery(id: "d", leaseToken: "l", endpoint: endpoint, event: event, attemptsMade: made)
    let attempt = FinishedAttempt(claimed, startedAt: now, duration: .milliseconds(7), result: result)
    return try RetrySchedule(parsing: schedule).outcome(of: attempt, leaseToken: "l2", now: now, random: random)
}

extension DeliveryOutcome {
    fileprivate var word: String {
        switch next {
        case .delivered: "delivered"
        case .retry(let at): "retry in \(at.milliseconds - now.milliseconds)"
        case .exhausted: "exhausted"
        }
    }
}

private func answer(_ status: Int, _ retryAfter: String? = nil) -> AttemptResult {
    .answered(EndpointAnswer(status: status, retryAfter: retryAfter, response: "r"))
}

struct RetryTests {
    @Test(
        arguments: [
            ("50ms", 50), ("15s", 15_000), ("5m", 300_000), ("2h", 7_200_000), ("120h", 432_000_000), ("0s", 0), ("007s", 7000),
        ] as [(String, Int64)])
    func `reads durations`(_ text: String, _ milliseconds: Int64) {
        #expect(Duration(text: text)?.inMilliseconds == milliseconds)
    }

    @Test(arguments: ["", "5", "s", "-1s", "1.5s", "1d", "5 s", " 5s", "5S", "99999999999999999999h", "9999999999h", "٣s", "5ms5"])
    func `refuses what is no duration`(_ text: String) {
        #expect(Duration(text: text) == nil)
    }

    @Test(arguments: ["0s,5s,5m,30m,2h,5h,10h,14h,20h,24h", "0s,50ms,100ms", "0s"])
    func `reads and writes schedules`(_ text: String) throws {
        #expect(try RetrySchedule(parsing: text).description == text)
    }

    @Test func `has the documented schedule by default`() {
        #expect(RetrySchedule.standard.description == "0s,5s,5m,30m,2h,5h,10h,14h,20h,24h")
    }

    @Test(arguments: ["", "0s,", "0s,,5s", "soon", "0s;5s"])
    func `refuses malformed schedules by a sentence`(_ text: String) {
        #expect(throws: TextError.self) { try RetrySchedule(parsing: text) }
    }

    @Test func `spreads delays by a fifth to either side`() throws {
        let schedule = try RetrySchedule(parsing: "0s,10s")
        #expect(schedule.delay(afterAttempts: 0, random: .max) == 0)
        #expect(schedule.delay(afterAttempts: 1, random: 0) == 8000)
        #expect(schedule.delay(afterAttempts: 1, random: .max) == 12_000)
        #expect(schedule.delay(afterAttempts: 2, random: 0) == nil)
        #expect(schedule.delay(afterAttempts: -1, random: 0) == nil)
    }

    @Test(arguments: [
        (200, 0, "delivered"), (204, 0, "delivered"), (299, 2, "delivered"), (301, 0, "retry in 8000"), (302, 0, "retry in 8000"),
        (304, 0, "retry in 8000"), (400, 0, "retry in 8000"), (404, 1, "retry in 16000"), (410, 0, "exhausted"),
        (500, 1, "retry in 16000"), (500, 2, "exhausted"), (500, 9, "exhausted"), (429, 2, "exhausted"), (199, 0, "retry in 8000"),
    ])
    func `takes 2xx for success and all else for failure`(_ status: Int, _ made: Int, _ expected: String) throws {
        let outcome = try decide(answer(status), made: made)
        #expect(outcome.word == expected)
        #expect(outcome.disablesEndpoint == (status == 410))
        #expect(outcome.attempt.status == status)
        #expect((outcome.attempt.error == nil) == (200..<300).contains(status))
        #expect(outcome.attempt.response == "r")
        #expect(outcome.leaseToken == "l2")
    }

    @Test func `tries again after a failure but not after a refusal`() throws {
        #expect(try decide(.failed(error: "E.", nil)).word == "retry in 8000")
        let refused = try decide(.refused(error: "R."))
        #expect(refused.word == "exhausted")
        #expect(refused.attempt.error == "R.")
        #expect(refused.attempt.status == nil && refused.attempt.response == nil)
    }

    @Test(
        arguments: [
            (429, "30", "retry in 8000", 30_000), (503, "30", "retry in 8000", 30_000), (503, "3", "retry in 8000", 3000),
            (500, "30", "retry in 8000", nil), (200, "30", "delivered", nil),
            (429, "Sun, 06 Nov 1994 08:50:07 GMT", "retry in 8000", 29_500),
            (429, "Sunday, 06-Nov-94 08:50:07 GMT", "retry in 8000", 29_500),
            (429, "Sun Nov  6 08:50:07 1994", "retry in 8000", 29_500),
            (429, "Sun, 06 Nov 1994 08:49:37 GMT", "retry in 8000", nil), (429, "Sun, 06 Nov 1990 08:49:37 GMT", "retry in 8000", nil),
            (429, "999999", "retry in 8000", 86_400_000), (429, "99999999999999999999999", "retry in 8000", 86_400_000),
            (429, "Sun, 06 Nov 2094 08:49:37 GMT", "retry in 8000", 86_400_000),
            (429, "0", "retry in 8000", nil), (429, "-5", "retry in 8000", nil), (429, "1.5", "retry in 8000", nil),
            (429, "soon", "retry in 8000", nil), (429, "", "retry in 8000", nil), (429, "5, 6", "retry in 8000", nil),
            (429, "Sun, 31 Feb 2094 08:49:37 GMT", "retry in 8000", nil), (429, "Sun, 06 Nov 2094 25:00:00 GMT", "retry in 8000", nil),
        ] as [(Int, String, String, Int64?)])
    func `honours Retry-After on 429 and 503`(_ status: Int, _ field: String, _ expected: String, _ hold: Int64?) throws {
        let outcome = try decide(answer(status, field))
        #expect(outcome.word == expected)
        #expect(outcome.holdEndpointUntil.map { $0.milliseconds - now.milliseconds } == hold)
    }

    @Test(arguments: [("100", 119_999), ("86400", 86_400_000)] as [(String, Int64)])
    func `adds up to a fifth to Retry-After and stays within a day`(_ field: String, _ hold: Int64) throws {
        let outcome = try decide(answer(429, field), random: most)
        #expect(outcome.holdEndpointUntil.map { $0.milliseconds - now.milliseconds } == hold)
    }

    @Test func `holds the endpoint after the last attempt too`() throws {
        let outcome = try decide(answer(503, "30"), made: 2)
        #expect(outcome.word == "exhausted")
        #expect(outcome.holdEndpointUntil != nil)
    }
}
