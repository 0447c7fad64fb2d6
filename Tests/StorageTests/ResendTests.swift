import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ResendTests {
    private let bench: Workbench
    private let id: DeliveryID

    init() throws {
        bench = try Workbench()
        try bench.store.createEndpoint(endpoint("a"), by: author())
        id = try bench.store.ping("a", by: author())
    }

    private var store: Store { bench.store }

    private func claim(at time: Timestamp) throws -> ClaimedDelivery {
        try #require(try store.claimDue(at: time, limit: 1, perEndpoint: 8, lease: 60_000).first)
    }

    private func attempt(_ next: DeliveryOutcome.Next, at time: Timestamp, removed: Bool = false) throws {
        try store.record([try claim(at: time).outcome(next, at: time, removed: removed)], at: time, disableAfter: .max)
    }

    private func enable(_ enabled: Bool) throws {
        _ = try store.updateEndpoint("a", isEnabling: enabled, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.setEnabled(enabled, at: 1500)
            return changed
        }
    }

    /// Brings the delivery into a state, with its endpoint enabled.
    private func bring(to state: Delivery.State) throws {
        switch state {
        case .pending: try attempt(.retry(at: 50_000), at: 1000)
        case .delivered: try attempt(.delivered, at: 1000)
        case .exhausted: try attempt(.exhausted, at: 1000)
        case .held:
            try enable(false)
            try enable(true)
        case .cancelled: try store.execute("UPDATE deliveries SET state = 'cancelled', next_attempt_at = NULL")
        }
    }

    @Test(arguments: Delivery.State.allCases)
    func `is one attempt more whatever the state, and is again what it was where that fails`(_ state: Delivery.State) throws {
        try bring(to: state)
        let previous = try #require(try store.delivery(id))
        #expect(previous.state == state)
        let asked = try store.resend(id, by: author(at: 2000))
        #expect((asked.id, asked.state, asked.nextAttemptAt) == (id, .pending, 2000))
        let claimed = try claim(at: 2000)
        #expect((claimed.id, claimed.event.id) == (id, previous.webhookID))
        try store.record([claimed.outcome(.retry(at: 2500), at: 2000)], at: 2000, disableAfter: .max)
        let after = try #require(try store.delivery(id))
        #expect((after.state, after.nextAttemptAt) == (state, previous.nextAttemptAt))
        #expect(after.attempts.map(\.isManual) == previous.attempts.map { _ in false } + [true])
        #expect(try store.claimDue(at: 40_000, limit: 9, perEndpoint: 9, lease: 1).isEmpty)
    }

    @Test(arguments: Delivery.State.allCases)
    func `is delivered where it succeeds`(_ state: Delivery.State) throws {
        try bring(to: state)
        _ = try store.resend(id, by: author(at: 2000))
        try attempt(.delivered, at: 2000)
        #expect(try store.delivery(id)?.state == .delivered)
        #expect(try store.nextDue() == nil)
    }

    @Test func `does not use up the schedule`() throws {
        try attempt(.retry(at: 50_000), at: 1000)
        _ = try store.resend(id, by: author(at: 2000))
        try attempt(.exhausted, at: 2000)
        let next = try claim(at: 50_000)
        #expect((next.id, next.attemptsMade) == (id, 1))
    }

    @Test(arguments: [DeliveryOutcome.Next.delivered, .retry(at: 9000), .exhausted])
    func `asked for while an attempt is under way, it follows that one`(_ next: DeliveryOutcome.Next) throws {
        let underWay = try claim(at: 1000)
        _ = try store.resend(id, by: author(at: 1100))
        #expect(try store.claimDue(at: 1200, limit: 9, perEndpoint: 9, lease: 1).isEmpty)
        try store.record([underWay.outcome(next, at: 1200)], at: 1200, disableAfter: .max)
        try attempt(.delivered, at: 1300)
        let delivery = try #require(try store.delivery(id))
        #expect(delivery.state == .delivered)
        #expect(delivery.attempts.map(\.isManual) == [false, true])
    }

    @Test func `asked for while one that was asked for is under way, there is another`() throws {
        try attempt(.delivered, at: 1000)
        _ = try store.resend(id, by: author(at: 2000))
        let underWay = try claim(at: 2000)
        _ = try store.resend(id, by: author(at: 2100))
        try store.record([underWay.outcome(.delivered, at: 2200)], at: 2200, disableAfter: .max)
        try attempt(.retry(at: 9000), at: 2300)
        let delivery = try #require(try store.delivery(id))
        #expect((delivery.state, delivery.nextAttemptAt) == (.delivered, nil))
        #expect(delivery.attempts.map(\.isManual) == [false, true, true])
    }

    @Test func `asked for twice before it is made, it is made once`() throws {
        try attempt(.retry(at: 50_000), at: 1000)
        for time in [2000, 2001] as [Timestamp] { _ = try store.resend(id, by: author(at: time)) }
        try attempt(.retry(at: 3000), at: 3000)
        let delivery = try #require(try store.delivery(id))
        #expect((delivery.state, delivery.nextAttemptAt, delivery.attempts.count) == (.pending, 50_000, 2))
    }

    @Test func `outlives the process`() throws {
        try attempt(.delivered, at: 1000)
        _ = try store.resend(id, by: author(at: 2000))
        _ = try claim(at: 2000)
        let reopened = try bench.reopened()
        try reopened.releaseAbandonedLeases(at: 1000)
        let again = try #require(try reopened.claimDue(at: 2000, limit: 1, perEndpoint: 1, lease: 1000).first)
        try reopened.record([again.outcome(.retry(at: 9000), at: 2100)], at: 2100, disableAfter: .max)
        #expect(try reopened.delivery(id)?.attempts.map(\.isManual) == [false, true])
    }

    @Test func `waits where the endpoint is disabled`() throws {
        try enable(false)
        _ = try store.resend(id, by: author(at: 2000))
        #expect(try store.claimDue(at: 2000, limit: 9, perEndpoint: 9, lease: 1).isEmpty)
        #expect(try store.nextDue() == nil)
        try enable(true)
        #expect(try claim(at: 2000).id == id)
    }

    @Test func `410 exhausts what was pending and disables`() throws {
        try attempt(.retry(at: 50_000), at: 1000)
        _ = try store.resend(id, by: author(at: 2000))
        try attempt(.exhausted, at: 2000, removed: true)
        #expect(try store.delivery(id)?.state == .exhausted)
        #expect(try store.endpoint("a")?.disabledReason == .removed)
    }

    @Test func `what is held or cancelled while it runs stays so`() throws {
        try attempt(.delivered, at: 1000)
        _ = try store.resend(id, by: author(at: 2000))
        let underWay = try claim(at: 2000)
        try enable(false)
        try store.record([underWay.outcome(.retry(at: 9000), at: 2100)], at: 2100, disableAfter: .max)
        #expect(try store.delivery(id)?.state == .held)
    }

    @Test func `of nothing is refused, and leaves no entry`() throws {
        let entries = try store.count("audit")
        #expect(failureCode { _ = try store.resend("nothing", by: author()) } == .unknownResource)
        #expect(try store.count("audit") == entries)
        _ = try store.resend(id, by: author())
        #expect(try store.count("audit", where: "action = 'delivery.resent'") == 1)
        #expect(bench.heard.queued.withLock(\.self) == 2)
    }

    @Test(arguments: [false, true])
    func `asked for while it was claimed, it is made also where the claim comes to nothing`(_ isKilled: Bool) throws {
        let bench = try Workbench()
        try bench.store.createEndpoint(endpoint("a"), by: author())
        let id = try bench.store.ping("a", by: author())
        let claimed = try #require(try bench.store.claimDue(at: 1000, limit: 1, perEndpoint: 1, lease: 60_000).first)
        _ = try bench.store.updateEndpoint("a", isEnabling: false, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.setEnabled(false, at: 1000)
            return changed
        }
        #expect(try bench.store.resend(id, by: author()).state == .held)
        if isKilled {
            try bench.reopened().releaseAbandonedLeases(at: 1000)
        } else {
            try bench.store.release([DeliveryLease(deliveryID: id, token: claimed.leaseToken)], at: 1000)
        }
        #expect(try bench.store.delivery(id)?.state == .pending)
    }
}
