import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ClaimTests {
    /// A store with endpoints, each with pings due at 1000, 1001, …
    private func store(_ pings: [EndpointID: Int]) throws -> (Workbench, Store) {
        let bench = try Workbench()
        for (id, count) in pings.sorted(by: { $0.key < $1.key }) {
            try bench.store.createEndpoint(endpoint(id), by: author())
            for number in 0..<count {
                _ = try bench.store.ping(id, by: author(at: Timestamp(milliseconds: 1000 + Int64(number))))
            }
        }
        return (bench, bench.store)
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
        let ids = try await withThrowingTaskGroup(of: [DeliveryID].self) { group in
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
        guard Engine.current == .sqlite else { return }
        let (_, store) = try store(["a": 1])
        let plan = try store.database.read { connection throws(Failure) in
            try connection.rows("EXPLAIN QUERY PLAN \(WaitingEndpoint.selection)", [], as: QueryPlanStep.self)
        }.map(\.detail)
        #expect(Set(plan.filter { $0.hasPrefix("SCAN") }) == ["SCAN w"])
        #expect(plan.contains("SEARCH e USING INDEX sqlite_autoindex_endpoints_1 (id=?)"))
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
        removed: Bool = false,
        response: String? = nil
    ) -> DeliveryOutcome {
        DeliveryOutcome(
            deliveryID: id, leaseToken: leaseToken, endpointID: endpoint.id,
            attempt: Attempt(at: time, durationMilliseconds: 12, status: status, error: nil, response: response),
            next: next,
            holdEndpointUntil: hold, disablesEndpoint: removed)
    }
}
