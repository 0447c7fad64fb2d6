import QuickActions
import Shortcuts
import Testing

@testable import Webhooks

private let now = Timestamp(milliseconds: 1_000_000)
private let ok = AttemptResult.answered(EndpointAnswer(status: 200))

private func deliveries(_ count: Int, to endpoint: EndpointID = "e") -> [ClaimedDelivery] {
    let endpoint = Endpoint(id: endpoint, url: EndpointURL(stored: "http://a/"), createdAt: now, secrets: SigningSecrets(current: ""))
    let event = Event(id: "m", type: .ping, app: nil, occurredAt: now, body: [])
    return (0..<count).map {
        ClaimedDelivery(id: "\(endpoint.id)\($0)", leaseToken: "l", endpoint: endpoint, event: event, attemptsMade: 0)
    }
}

struct AdmissionTests {
    private let start = ContinuousClock.now

    @Test func `admits a bounded number to each endpoint, the next when one has ended`() {
        var admission = Admission(perEndpoint: 2)
        admission.add(deliveries(4) + deliveries(1, to: "other"), startBy: start + .seconds(30), recordedReport: 0)
        let first = admission.admitted(now: now, at: start)
        #expect(first.map(\.id).sorted() == ["e0", "e1", "other0"])
        let more = admission.admitted(now: now, at: start)
        #expect(more.isEmpty)
        admission.ended(first[0], ok, now: now, report: 1)
        admission.ended(first[1], ok, now: now, report: 1)
        admission.ended(first[2], ok, now: now, report: 1)
        let next = admission.admitted(now: now, at: start)
        #expect(!next.isEmpty)
        #expect(admission.dropped.isEmpty)
    }

    @Test func `waits as long as Retry-After says`() throws {
        var admission = Admission(perEndpoint: 1)
        admission.add(deliveries(2), startBy: start + .seconds(30), recordedReport: 0)
        let first = try #require(admission.admitted(now: now, at: start).first)
        admission.ended(first, .answered(EndpointAnswer(status: 429, retryAfter: "5")), now: now, report: 1)
        let during = admission.admitted(now: now.later(4999), at: start)
        #expect(during.isEmpty)
        #expect(admission.nextHoldEnd(from: now.later(1000)) == 4000)
        let after = admission.admitted(now: now.later(5000), at: start)
        #expect(after.map(\.id) == ["e1"])
    }

    @Test func `drops what is queued for an endpoint that is removed`() throws {
        var admission = Admission(perEndpoint: 1)
        admission.add(deliveries(3), startBy: start + .seconds(30), recordedReport: 0)
        let first = try #require(admission.admitted(now: now, at: start).first)
        admission.ended(first, .answered(EndpointAnswer(status: 410)), now: now, report: 1)
        let dropped = admission.takeDropped()
        #expect(dropped == ["e1", "e2"])
        let again = admission.takeDropped()
        #expect(again.isEmpty)
        let admitted = admission.admitted(now: now, at: start)
        #expect(admitted.isEmpty)
    }

    @Test func `admits during a pause only what was claimed after it was recorded`() throws {
        for (status, field) in [(429, "600"), (410, nil)] as [(Int, String?)] {
            var admission = Admission(perEndpoint: 1)
            admission.add(deliveries(1), startBy: start + .seconds(30), recordedReport: 0)
            let first = try #require(admission.admitted(now: now, at: start).first)
            admission.ended(first, .answered(EndpointAnswer(status: status, retryAfter: field)), now: now, report: 4)
            admission.add(deliveries(1), startBy: start + .seconds(30), recordedReport: 3)
            let uninformed = admission.admitted(now: now, at: start)
            #expect(uninformed.isEmpty)
            admission.add(deliveries(1), startBy: start + .seconds(30), recordedReport: 4)
            let informed = admission.admitted(now: now, at: start)
            #expect(informed.count == 1)
        }
    }

    @Test func `drops what its lease no longer covers`() {
        var admission = Admission(perEndpoint: 1)
        admission.add(deliveries(3), startBy: start + .seconds(30), recordedReport: 0)
        let first = admission.admitted(now: now, at: start)
        #expect(first.count == 1)
        let late = admission.admitted(now: now, at: start + .seconds(30))
        #expect(late.isEmpty)
        let dropped = admission.takeDropped()
        #expect(dropped == ["e1", "e2"])
    }

    @Test func `drops what is queued for an endpoint that was changed, and admits what is claimed anew`() {
        var admission = Admission(perEndpoint: 1)
        admission.add(deliveries(3) + deliveries(2, to: "other"), startBy: start + .seconds(30), recordedReport: 0)
        let first = admission.admitted(now: now, at: start)
        #expect(first.map(\.id).sorted() == ["e0", "other0"])
        admission.drop(for: ["e", "unheard of"])
        let dropped = admission.takeDropped()
        #expect(dropped == ["e1", "e2"])
        for delivery in first { admission.ended(delivery, ok, now: now, report: 1) }
        let next = admission.admitted(now: now, at: start)
        #expect(next.map(\.id) == ["other1"])
        admission.add(deliveries(1), startBy: start + .seconds(30), recordedReport: 0)
        let again = admission.admitted(now: now, at: start)
        #expect(again.map(\.id) == ["e0"])
    }

    @Test func `drops everything queued when it is drained`() {
        var admission = Admission(perEndpoint: 1)
        admission.add(deliveries(2), startBy: start + .seconds(30), recordedReport: 0)
        let first = admission.admitted(now: now, at: start)
        #expect(first.count == 1)
        admission.dropAll()
        let dropped = admission.takeDropped()
        #expect(dropped == ["e1"])
    }

    @Test func `endpoints are quick after eight quick successes, all of them or none`() {
        var pace = Pace()
        let attempts = (deliveries(1) + deliveries(1, to: "slow")).map {
            FinishedAttempt($0, startedAt: now, duration: .milliseconds($0.endpoint.id == "slow" ? 200 : 2), result: ok)
        }
        #expect(!pace.areAllQuick([], at: start))
        for _ in 0..<7 { pace.note(attempts[0], at: start) }
        #expect(!pace.areAllQuick(["e"], at: start))
        pace.note(attempts[0], at: start)
        #expect(pace.areAllQuick(["e"], at: start))
        #expect(!pace.areAllQuick(["e", "unknown"], at: start))
        pace.note(attempts[1], at: start)
        #expect(!pace.areAllQuick(["e"], at: start))
        pace.note(attempts[0], at: start + .seconds(61))
        #expect(pace.areAllQuick(["e"], at: start + .seconds(61)))
    }

    @Test func `remembers the retries of the next half minute`() {
        var times = UpcomingRetries()
        for delay in [-5, 0, 100, 101, 40_000, 3000] as [Int64] { times.add(now.later(delay), now: now) }
        #expect(times.next(after: now) == now.later(104))
        #expect(times.next(after: now.later(104)) == now.later(3000))
        #expect(times.next(after: now.later(3000)) == nil)
    }
}
