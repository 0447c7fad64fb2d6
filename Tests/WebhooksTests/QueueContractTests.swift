import QuickActions
import Shortcuts
import Testing

/// The contract of every delivery queue: the store on a real file, and its double in the dispatcher's tests.
@Suite struct QueueContractTests {
    /// A queue with endpoints, each with deliveries due at 1000, 1001, …
    private func bench(_ kind: QueueKind, _ deliveries: [EndpointID: Int], ordered: Set<EndpointID> = []) throws -> any QueueBench {
        let bench = try kind.makeBench()
        for (id, count) in deliveries.sorted(by: { $0.key < $1.key }) {
            try bench.addEndpoint(id, ordered: ordered.contains(id))
            for number in 0..<count { _ = try bench.addDelivery(to: id, at: Timestamp(milliseconds: 1000 + Int64(number))) }
        }
        return bench
    }

    @Test(
        arguments: QueueKind.allCases,
        [
            (["a": 10, "b": 1, "c": 2], 6, 8, "abcaca"), (["a": 10, "b": 10], 100, 3, "ababab"), (["a": 5], 2, 8, "aa"),
            (["a": 5], 0, 8, ""), (["a": 5, "b": 5, "c": 5], 2, 8, "ab"), (["a": 0, "b": 2, "c": 0, "d": 1, "e": 0], 9, 8, "bdb"),
        ] as [([EndpointID: Int], Int, Int, String)])
    func `endpoints take turns`(_ kind: QueueKind, _ data: ([EndpointID: Int], Int, Int, String)) throws {
        let (deliveries, limit, perEndpoint, order) = data
        let bench = try bench(kind, deliveries)
        let claimed = try bench.queue.claimDue(at: 5000, limit: limit, perEndpoint: perEndpoint, lease: 1000)
        #expect(claimed.map(\.endpoint.id.description).joined() == order)
    }

    @Test(arguments: QueueKind.allCases) func `the oldest comes first and only what is due`(_ kind: QueueKind) throws {
        let bench = try bench(kind, ["a": 5])
        #expect(try bench.queue.nextDue() == 1000)
        let claimed = try bench.queue.claimDue(at: 1002, limit: 10, perEndpoint: 8, lease: 1000)
        #expect(claimed.map(\.event.occurredAt) == [1000, 1001, 1002])
        #expect(claimed.map(\.attemptsMade) == [0, 0, 0])
        #expect(try bench.queue.nextDue() == 1003)
    }

    @Test(arguments: QueueKind.allCases) func `a claim is under a lease of its own`(_ kind: QueueKind) throws {
        let bench = try bench(kind, ["a": 2])
        let first = try bench.queue.claimDue(at: 2000, limit: 1, perEndpoint: 8, lease: 1000)
        let second = try bench.queue.claimDue(at: 2000, limit: 1, perEndpoint: 8, lease: 1000)
        #expect(Set((first + second).map(\.leaseToken)).count == 2)
        #expect(Set((first + second).map(\.id)).count == 2)
    }

    @Test(arguments: QueueKind.allCases)
    func `what is under a lease counts against its endpoint until the lease ends`(_ kind: QueueKind) throws {
        let queue = try bench(kind, ["a": 5]).queue
        #expect(try queue.claimDue(at: 2000, limit: 10, perEndpoint: 2, lease: 1000).count == 2)
        #expect(try queue.claimDue(at: 2999, limit: 10, perEndpoint: 2, lease: 1000).isEmpty)
        #expect(try queue.claimDue(at: 2999, limit: 10, perEndpoint: 3, lease: 1000).count == 1)
        let again = try queue.claimDue(at: 3000, limit: 10, perEndpoint: 3, lease: 1000)
        #expect(again.map(\.event.occurredAt) == [1000, 1001])
    }

    @Test(arguments: QueueKind.allCases) func `a lease is waited for where nothing else is due`(_ kind: QueueKind) throws {
        let queue = try bench(kind, ["a": 1]).queue
        _ = try queue.claimDue(at: 2000, limit: 1, perEndpoint: 8, lease: 700)
        #expect(try queue.nextDue() == 2700)
    }

    @Test(arguments: QueueKind.allCases)
    func `an ordered endpoint has one attempt in flight and nothing overtakes`(_ kind: QueueKind) throws {
        let queue = try bench(kind, ["a": 3], ordered: ["a"]).queue
        let first = try #require(try queue.claimDue(at: 5000, limit: 10, perEndpoint: 8, lease: 1000).first)
        #expect(first.event.occurredAt == 1000)
        #expect(try queue.claimDue(at: 5000, limit: 10, perEndpoint: 8, lease: 1000).isEmpty)
        #expect(try queue.nextDue() == 6000)
        try queue.record([first.outcome(.retry(at: 9000), at: 5100)], at: 5100, disableAfter: .max)
        #expect(try queue.claimDue(at: 8999, limit: 10, perEndpoint: 8, lease: 1000).isEmpty)
        #expect(try queue.nextDue() == 9000)
        let retried = try #require(try queue.claimDue(at: 9000, limit: 10, perEndpoint: 8, lease: 1000).first)
        #expect((retried.id, retried.attemptsMade) == (first.id, 1))
        try queue.record([retried.outcome(.exhausted, at: 9100)], at: 9100, disableAfter: .max)
        #expect(try queue.claimDue(at: 9100, limit: 10, perEndpoint: 8, lease: 1000).map(\.event.occurredAt) == [1001])
    }

    enum WayOut: CaseIterable { case recovered, skipped }

    @Test(arguments: QueueKind.allCases, WayOut.allCases)
    func `nothing overtakes what an ordered endpoint has held, until it is recovered or skipped`(
        _ kind: QueueKind, _ wayOut: WayOut
    ) throws {
        let bench = try bench(kind, ["a": 1, "b": 1], ordered: ["a"])
        for id in ["a", "b"] as [EndpointID] { try bench.setEnabled(false, id) }
        let held = try bench.addDelivery(to: "a", at: 1001)
        for id in ["a", "b"] as [EndpointID] {
            try bench.setEnabled(true, id)
            _ = try bench.addDelivery(to: id, at: 1002)
        }
        let claimed = try bench.queue.claimDue(at: 2000, limit: 9, perEndpoint: 8, lease: 1000)
        #expect(claimed.map(\.endpoint.id) == ["b"])
        try bench.queue.record(claimed.map { $0.outcome(.delivered, at: 2000) }, at: 2000, disableAfter: .max)
        #expect(try bench.queue.nextDue() == nil)
        switch wayOut {
        case .recovered: try bench.recover("a", at: 3000)
        case .skipped: try bench.skipHeld(of: "a")
        }
        var order: [Timestamp] = []
        while let next = try bench.queue.claimDue(at: 3000, limit: 1, perEndpoint: 8, lease: 1000).first(where: { $0.endpoint.id == "a" }) {
            order.append(next.event.occurredAt)
            try bench.queue.record([next.outcome(.delivered, at: 3000)], at: 3000, disableAfter: .max)
        }
        #expect(order == (wayOut == .recovered ? [1000, 1001, 1002] : [1002]))
        #expect(try bench.state(of: held) == (wayOut == .recovered ? .delivered : .cancelled))
    }

    @Test(arguments: QueueKind.allCases) func `a quarantined delivery is held until it is recovered, and only under its lease`(
        _ kind: QueueKind
    ) throws {
        let bench = try bench(kind, ["a": 2])
        let claimed = try bench.queue.claimDue(at: 2000, limit: 9, perEndpoint: 8, lease: 1000)
        let failure = Failure(.internalError, "No.")
        try bench.queue.quarantine(
            [claimed[0].lease, DeliveryLease(deliveryID: claimed[1].id, token: "void")], because: failure, at: 2000)
        #expect(try claimed.map { try bench.state(of: $0.id) } == [.held, .pending])
        #expect(try bench.queue.claimDue(at: 4000, limit: 9, perEndpoint: 8, lease: 1000).map(\.id) == [claimed[1].id])
        try bench.recover("a", at: 4000)
        #expect(try bench.queue.claimDue(at: 4000, limit: 9, perEndpoint: 8, lease: 1000).map(\.id) == [claimed[0].id])
    }

    @Test(arguments: QueueKind.allCases) func `an endpoint under a hold waits, the others do not`(_ kind: QueueKind) throws {
        let queue = try bench(kind, ["a": 2, "b": 2]).queue
        let claimed = try queue.claimDue(at: 2000, limit: 2, perEndpoint: 1, lease: 1000)
        try queue.record(
            [claimed[0].outcome(.retry(at: 2500), at: 2100, hold: 7000), claimed[1].outcome(.delivered, at: 2100)], at: 2100,
            disableAfter: .max)
        #expect(try queue.claimDue(at: 6999, limit: 10, perEndpoint: 8, lease: 100).map(\.endpoint.id) == ["b"])
        #expect(try queue.nextDue() == 7000)
        #expect(
            try queue.claimDue(at: 7000, limit: 10, perEndpoint: 8, lease: 100).filter { $0.endpoint.id == "a" }.count == 2)
    }

    @Test(arguments: QueueKind.allCases) func `a hold is not shortened`(_ kind: QueueKind) throws {
        let queue = try bench(kind, ["a": 2]).queue
        let claimed = try queue.claimDue(at: 2000, limit: 2, perEndpoint: 2, lease: 1000)
        try queue.record(
            [claimed[0].outcome(.retry(at: 2100), at: 2100, hold: 9000), claimed[1].outcome(.retry(at: 2100), at: 2100, hold: 5000)],
            at: 2100, disableAfter: .max)
        #expect(try queue.nextDue() == 9000)
    }

    @Test(arguments: QueueKind.allCases)
    func `what is given back is due at once and no attempt is counted`(_ kind: QueueKind) throws {
        let queue = try bench(kind, ["a": 2]).queue
        let claimed = try queue.claimDue(at: 2000, limit: 9, perEndpoint: 9, lease: 60_000)
        try queue.release([claimed[0].lease, DeliveryLease(deliveryID: claimed[1].id, token: "void")], at: 2000)
        let again = try queue.claimDue(at: 2000, limit: 9, perEndpoint: 9, lease: 60_000)
        #expect(again.map(\.id) == [claimed[0].id])
        #expect(again.map(\.attemptsMade) == [0])
    }

    @Test(arguments: QueueKind.allCases)
    func `what a dead process had claimed is due at once, and its outcomes are not recorded`(_ kind: QueueKind) throws {
        let bench = try bench(kind, ["a": 1])
        let dead = try #require(try bench.queue.claimDue(at: 2000, limit: 1, perEndpoint: 8, lease: 60_000).first)
        try bench.queue.releaseAbandonedLeases(at: 2000)
        let second = try #require(try bench.queue.claimDue(at: 2000, limit: 1, perEndpoint: 8, lease: 60_000).first)
        #expect((second.id, second.event.id, second.event.body) == (dead.id, dead.event.id, dead.event.body))
        #expect(second.leaseToken != dead.leaseToken && second.attemptsMade == 0)
        try bench.queue.record([dead.outcome(.delivered, at: 2100)], at: 2100, disableAfter: .max)
        #expect(try bench.state(of: dead.id) == .pending)
        #expect(try bench.attempts(of: dead.id).isEmpty)
        try bench.queue.record([second.outcome(.delivered, at: 2100)], at: 2100, disableAfter: .max)
        #expect(try bench.state(of: dead.id) == .delivered)
    }

    @Test(arguments: QueueKind.allCases) func `nothing is due where nothing is pending`(_ kind: QueueKind) throws {
        let queue = try bench(kind, ["a": 0]).queue
        #expect(try queue.nextDue() == nil)
        let backlog = try queue.backlog()
        #expect(backlog.pending == 0 && backlog.oldest == nil)
    }

    @Test(arguments: QueueKind.allCases) func `the backlog is what is pending, by when it came`(_ kind: QueueKind) throws {
        let queue = try bench(kind, ["a": 3]).queue
        let claimed = try queue.claimDue(at: 2000, limit: 2, perEndpoint: 8, lease: 1000)
        try queue.record(
            [claimed[0].outcome(.delivered, at: 2100), claimed[1].outcome(.retry(at: 9000), at: 2100)], at: 2100, disableAfter: .max)
        let backlog = try queue.backlog()
        #expect(backlog.pending == 2 && backlog.oldest == 1001)
    }
}
