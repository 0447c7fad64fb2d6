import Foundation
import SQL
import Shortcuts
import Testing

@testable import Storage

struct ClaimTests {
    /// A store with endpoints, each with pings due at 1000, 1001, …
    private func store(_ pings: [String: Int], ordered: Set<String> = []) throws -> (Workbench, Store) {
        let bench = try Workbench()
        for (id, count) in pings.sorted(by: { $0.key < $1.key }) {
            try bench.store.createEndpoint(endpoint(id, ordered: ordered.contains(id)), by: author())
            for number in 0..<count {
                _ = try bench.store.ping(id, by: author(at: Timestamp(milliseconds: 1000 + Int64(number))))
            }
        }
        return (bench, bench.store)
    }

    @Test(arguments: [
        (["a": 10, "b": 1, "c": 2], 6, 8, "abcaca"),
        (["a": 10, "b": 10], 100, 3, "ababab"),
        (["a": 5], 2, 8, "aa"),
        (["a": 5], 0, 8, ""),
        (["a": 5, "b": 5, "c": 5], 2, 8, "ab"),
        (["a": 0, "b": 2, "c": 0, "d": 1, "e": 0], 9, 8, "bdb"),
    ])
    func `endpoints take turns`(_ pings: [String: Int], _ limit: Int, _ perEndpoint: Int, _ order: String) throws {
        let (_, store) = try store(pings)
        let claimed = try store.claimDue(at: 5000, limit: limit, perEndpoint: perEndpoint, lease: 1000)
        #expect(claimed.map(\.endpoint.id).joined() == order)
    }

    @Test func `the oldest comes first and only what is due`() throws {
        let (_, store) = try store(["a": 5])
        let claimed = try store.claimDue(at: 1002, limit: 10, perEndpoint: 8, lease: 1000)
        #expect(claimed.map(\.event.occurredAt) == [1000, 1001, 1002])
        #expect(try store.nextDue() == 1003)
    }

    @Test func `what is under a lease counts against its endpoint until the lease ends`() throws {
        let (_, store) = try store(["a": 5])
        #expect(try store.claimDue(at: 2000, limit: 10, perEndpoint: 2, lease: 1000).count == 2)
        #expect(try store.claimDue(at: 2999, limit: 10, perEndpoint: 2, lease: 1000).isEmpty)
        #expect(try store.claimDue(at: 2999, limit: 10, perEndpoint: 3, lease: 1000).count == 1)
        let again = try store.claimDue(at: 3000, limit: 10, perEndpoint: 3, lease: 1000)
        #expect(again.map(\.event.occurredAt) == [1000, 1001])
    }

    @Test func `an ordered endpoint has one attempt in flight and nothing overtakes`() throws {
        let (_, store) = try store(["a": 3], ordered: ["a"])
        let first = try #require(try store.claimDue(at: 5000, limit: 10, perEndpoint: 8, lease: 1000).first)
        #expect(first.event.occurredAt == 1000)
        #expect(try store.claimDue(at: 5000, limit: 10, perEndpoint: 8, lease: 1000).isEmpty)
        #expect(try store.nextDue() == 6000)
        try store.record([first.outcome(.retry(at: 9000), at: 5100)], at: 5100, disableAfter: .max)
        #expect(try store.claimDue(at: 8999, limit: 10, perEndpoint: 8, lease: 1000).isEmpty)
        #expect(try store.nextDue() == 9000)
        let retried = try #require(try store.claimDue(at: 9000, limit: 10, perEndpoint: 8, lease: 1000).first)
        #expect((retried.id, retried.attemptsMade) == (first.id, 1))
        try store.record([retried.outcome(.exhausted, at: 9100)], at: 9100, disableAfter: .max)
        #expect(try store.claimDue(at: 9100, limit: 10, perEndpoint: 8, lease: 1000).map(\.event.occurredAt) == [1001])
    }

    @Test func `an endpoint under a hold waits, the others do not`() throws {
        let (_, store) = try store(["a": 2, "b": 2])
        let claimed = try store.claimDue(at: 2000, limit: 2, perEndpoint: 1, lease: 1000)
        try store.record(
            [claimed[0].outcome(.retry(at: 2500), at: 2100, hold: 7000), claimed[1].outcome(.delivered, at: 2100)],
            at: 2100,
            disableAfter: .max)
        #expect(try store.claimDue(at: 6999, limit: 10, perEndpoint: 8, lease: 100).map(\.endpoint.id) == ["b"])
        #expect(try store.nextDue() == 7000)
        #expect(
            try store.claimDue(at: 7000, limit: 10, perEndpoint: 8, lease: 100).filter { $0.endpoint.id == "a" }.count
                == 2)
    }

    @Test func `every attempt sends the same id and bytes under another lease`() throws {
        let (bench, store) = try store(["a": 1])
        let first = try #require(try store.claimDue(at: 2000, limit: 1, perEndpoint: 8, lease: 1000).first)
        let reopened = try bench.reopened()
        try reopened.releaseAbandonedLeases(at: 1000)
        let second = try #require(try reopened.claimDue(at: 2000, limit: 1, perEndpoint: 8, lease: 1000).first)
        #expect(
            (second.id, second.event.id, second.event.body, second.attemptsMade) == (
                first.id, first.event.id, first.event.body, 0
            ))
        #expect(second.leaseToken != first.leaseToken)
        try reopened.record([first.outcome(.delivered, at: 2100)], at: 2100, disableAfter: .max)
        #expect(try reopened.states(of: "a") == ["pending"])
        #expect(try reopened.count("attempts") == 0)
        try reopened.record([second.outcome(.delivered, at: 2100)], at: 2100, disableAfter: .max)
        #expect(try reopened.states(of: "a") == ["delivered"])
    }

    @Test func `two dispatchers on one file never have the same delivery`() async throws {
        let (bench, store) = try store(["a": 40, "b": 40])
        let other = try bench.reopened()
        let ids = try await withThrowingTaskGroup(of: [String].self) { group in
            for dispatcher in [store, other] {
                group.addTask {
                    try (0..<10).flatMap { _ in
                        try dispatcher.claimDue(at: 5000, limit: 5, perEndpoint: 50, lease: 1000).map(\.id)
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(ids).count == ids.count)
        #expect(ids.count == 80)
    }

    @Test func `endpoints that wait for nothing are not looked at`() throws {
        let (_, store) = try store(["a": 1])
        let plan = try store.database.read { connection throws(Failure) in
            try connection.rows("EXPLAIN QUERY PLAN \(Lane.selection)", []) { row throws(Failure) in
                for _ in 0..<3 { _ = try row.integer() }
                return try row.text()
            }
        }
        #expect(Set(plan.filter { $0.hasPrefix("SCAN") }) == ["SCAN w"])
        #expect(plan.contains("SEARCH e USING INDEX sqlite_autoindex_endpoints_1 (id=?)"))
    }

    @Test func `nothing is due where nothing is pending`() throws {
        let (_, store) = try store(["a": 0])
        #expect(try store.nextDue() == nil)
        #expect(try store.backlog().pending == 0)
        #expect(try store.backlog().oldest == nil)
    }

    @Test func `what is given back is due at once and no attempt is counted`() throws {
        let bench = try Workbench()
        try bench.store.createEndpoint(endpoint("a"), by: author())
        for _ in 0..<2 { _ = try bench.store.ping("a", by: author()) }
        let claimed = try bench.store.claimDue(at: 1000, limit: 9, perEndpoint: 9, lease: 60_000)
        let leases = [
            DeliveryLease(deliveryID: claimed[0].id, token: claimed[0].leaseToken), DeliveryLease(deliveryID: claimed[1].id, token: "void"),
        ]
        try bench.store.release(leases, at: 1000)
        let again = try bench.store.claimDue(at: 1000, limit: 9, perEndpoint: 9, lease: 60_000)
        #expect(again.map(\.id) == [claimed[0].id])
        #expect(again.map(\.attemptsMade) == [0])
    }

    @Test func `the first attempt may wait`() throws {
        var configuration = Store.Configuration()
        configuration.firstAttemptDelay = .milliseconds(250)
        let bench = try Workbench(configuration)
        try bench.store.createEndpoint(endpoint("a"), by: author())
        _ = try bench.store.ping("a", by: author())
        #expect(try bench.store.nextDue() == 1250)
    }
}

extension ClaimedDelivery {
    func outcome(
        _ next: DeliveryOutcome.Next, at time: Timestamp, status: Int? = nil, hold: Timestamp? = nil,
        gone: Bool = false,
        response: String? = nil
    ) -> DeliveryOutcome {
        DeliveryOutcome(
            deliveryID: id, leaseToken: leaseToken, endpointID: endpoint.id,
            attempt: Attempt(at: time, durationMilliseconds: 12, status: status, error: nil, response: response),
            next: next,
            holdEndpointUntil: hold, disablesEndpoint: gone)
    }
}
