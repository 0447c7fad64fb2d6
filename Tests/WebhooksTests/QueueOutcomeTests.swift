import QuickActions
import Shortcuts
import Testing

/// The contract of every delivery queue for the outcomes of attempts.
@Suite struct QueueOutcomeTests {
    /// A queue with one endpoint, `a`, all of whose deliveries are claimed.
    private func claimed(_ kind: QueueKind, _ count: Int) throws -> (any QueueBench, [ClaimedDelivery]) {
        let bench = try kind.makeBench()
        try bench.addEndpoint("a", ordered: false)
        for _ in 0..<count { _ = try bench.addDelivery(to: "a", at: 1000) }
        return (bench, try bench.queue.claimDue(at: 1000, limit: count, perEndpoint: count, lease: 60_000))
    }

    private func states(_ bench: any QueueBench, _ claimed: [ClaimedDelivery]) throws -> [Delivery.State] {
        try claimed.map { try bench.state(of: $0.id) }
    }

    @Test(arguments: QueueKind.allCases)
    func `every attempt is kept, delivered and exhausted are final`(_ kind: QueueKind) throws {
        let (bench, claimed) = try claimed(kind, 3)
        try bench.queue.record(
            [
                claimed[0].outcome(.delivered, at: 1100, status: 204), claimed[1].outcome(.exhausted, at: 1100),
                claimed[2].outcome(.retry(at: 3000), at: 1100, status: 500),
            ], at: 1100, disableAfter: .max)
        #expect(try states(bench, claimed) == [.delivered, .exhausted, .pending])
        #expect(try claimed.map { try bench.attempts(of: $0.id).map(\.status) } == [[204], [nil], [500]])
        #expect(try bench.queue.nextDue() == 3000)
        #expect(try bench.queue.claimDue(at: 3000, limit: 9, perEndpoint: 9, lease: 1).map(\.attemptsMade) == [1])
    }

    @Test(arguments: QueueKind.allCases) func `an outcome is recorded once`(_ kind: QueueKind) throws {
        let (bench, claimed) = try claimed(kind, 1)
        for _ in 0..<2 { try bench.queue.record([claimed[0].outcome(.retry(at: 3000), at: 1100)], at: 1100, disableAfter: .max) }
        #expect(try bench.attempts(of: claimed[0].id).count == 1)
    }

    @Test(arguments: QueueKind.allCases, [(499, true), (500, false)] as [(Int64, Bool)])
    func `nothing but failure for long enough disables`(_ kind: QueueKind, _ data: (Int64, Bool)) throws {
        let (elapsed, isEnabled) = data
        let (bench, claimed) = try claimed(kind, 2)
        try bench.queue.record([claimed[0].outcome(.retry(at: 1300), at: 1200)], at: 1200, disableAfter: 500)
        let now = Timestamp(milliseconds: 1200 + elapsed)
        try bench.queue.record([claimed[1].outcome(.retry(at: 9000), at: now)], at: now, disableAfter: 500)
        #expect(try bench.isEnabled("a") == isEnabled)
        #expect(try states(bench, claimed) == Array(repeating: isEnabled ? .pending : .held, count: 2))
    }

    @Test(arguments: QueueKind.allCases) func `a success starts the window anew`(_ kind: QueueKind) throws {
        let (bench, claimed) = try claimed(kind, 3)
        try bench.queue.record([claimed[0].outcome(.retry(at: 9000), at: 1200)], at: 1200, disableAfter: 500)
        try bench.queue.record([claimed[1].outcome(.delivered, at: 1600)], at: 1600, disableAfter: 500)
        try bench.queue.record([claimed[2].outcome(.retry(at: 9000), at: 1900)], at: 1900, disableAfter: 500)
        #expect(try bench.isEnabled("a"))
    }

    @Test(arguments: QueueKind.allCases)
    func `410 disables at once, exhausts its delivery and holds the rest`(_ kind: QueueKind) throws {
        let (bench, claimed) = try claimed(kind, 3)
        try bench.queue.record([claimed[0].outcome(.exhausted, at: 1200, status: 410, isRemoved: true)], at: 1200, disableAfter: .max)
        let late = try bench.addDelivery(to: "a", at: 1250)
        #expect(try bench.isEnabled("a") == false)
        #expect(try states(bench, claimed) == [.exhausted, .held, .held])
        #expect(try bench.state(of: late) == .held)
        #expect(try bench.queue.nextDue() == nil)
        // Attempts that were in flight: one succeeded, one is not repeated.
        try bench.queue.record(
            [claimed[1].outcome(.delivered, at: 1300), claimed[2].outcome(.retry(at: 1400), at: 1300)], at: 1300, disableAfter: .max)
        #expect(try states(bench, claimed) == [.exhausted, .delivered, .held])
        #expect(try bench.attempts(of: claimed[2].id).count == 1)
        #expect(try bench.queue.claimDue(at: 9000, limit: 9, perEndpoint: 9, lease: 1).isEmpty)
    }
}

extension ClaimedDelivery {
    var lease: DeliveryLease { DeliveryLease(deliveryID: id, token: leaseToken) }

    func outcome(
        _ next: DeliveryOutcome.Next, at time: Timestamp, status: Int? = nil, hold: Timestamp? = nil, isRemoved: Bool = false
    ) -> DeliveryOutcome {
        DeliveryOutcome(
            deliveryID: id, leaseToken: leaseToken, endpointID: endpoint.id,
            attempt: Attempt(at: time, durationMilliseconds: 12, status: status, error: nil, response: nil), next: next,
            holdEndpointUntil: hold, disablesEndpoint: isRemoved)
    }
}

extension Timestamp: ExpressibleByIntegerLiteral {
    /// Milliseconds.
    package init(integerLiteral value: Int64) {
        self.init(milliseconds: value)
    }
}
