import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct DeliveryLogTests {
    private func all(_ store: Store, in state: Delivery.State? = nil, limit: Int) throws -> [Delivery] {
        var (found, cursor) = ([Delivery](), String?.none)
        repeat {
            let page = try store.deliveries(to: "a", in: state, of: nil, PageRequest(limit: limit, cursor: cursor))
            #expect(page.items.count <= limit)
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }

    @Test(arguments: [1, 2, 3, 7, 200])
    func `tells of one endpoint's deliveries, newest first, in parts`(_ limit: Int) throws {
        let store = try Workbench().store
        for id in ["a", "b"] as [EndpointID] { try store.createEndpoint(endpoint(id), by: author()) }
        let ids = try (Int64(0)..<7).map { number in
            _ = try store.ping("b", by: author())
            return try store.ping("a", by: author(at: Timestamp(milliseconds: 1000 + number)))
        }
        let claimed = try store.claimDue(at: 2000, limit: 4, perEndpoint: 2, lease: 1000).filter { $0.endpoint.id == "a" }
        try store.record(
            [claimed[0].outcome(.exhausted, at: 2100), claimed[1].outcome(.delivered, at: 2100)], at: 2100, disableAfter: .max)
        #expect(try all(store, limit: limit).map(\.id) == ids.reversed())
        #expect(try all(store, in: .pending, limit: limit).map(\.id) == ids.dropFirst(2).reversed())
        #expect(try all(store, in: .exhausted, limit: limit).map(\.id) == [ids[0]])
        #expect(try all(store, in: .held, limit: limit).isEmpty)
    }

    @Test func `tells every attempt, the oldest first`() throws {
        let store = try Workbench().store
        try store.createEndpoint(endpoint("a"), by: author())
        let id = try store.ping("a", by: author())
        for (time, next) in [(2000, DeliveryOutcome.Next.retry(at: 3000)), (3000, .delivered)] as [(Timestamp, DeliveryOutcome.Next)] {
            let claimed = try #require(try store.claimDue(at: time, limit: 1, perEndpoint: 1, lease: 1000).first)
            try store.record([claimed.outcome(next, at: time, status: 200, response: "r")], at: time, disableAfter: .max)
        }
        let delivery = try #require(try store.delivery(id))
        #expect((delivery.id, delivery.endpointID, delivery.type, delivery.state) == (id, "a", .ping, .delivered))
        #expect((delivery.createdAt, delivery.nextAttemptAt) == (1000, nil))
        #expect(delivery.attempts.map(\.at) == [2000, 3000])
        #expect(delivery.attempts.allSatisfy { $0.durationMilliseconds == 12 && $0.status == 200 && $0.response == "r" })
        #expect(delivery.attempts.allSatisfy { !$0.isManual })
        #expect(try store.delivery("nothing") == nil)
    }

    @Test func `tells of which app an event is, and what is sent`() throws {
        let store = try Workbench().store
        try store.createEndpoint(endpoint("a"), by: author())
        try store.makeApp()
        let ping = try store.ping("a", by: author())
        let found = try store.deliveries(to: "a", in: nil, of: nil, PageRequest()).items
        #expect(found.map(\.app?.description) == [nil, "com.example.notes"])
        #expect(found.last?.body.contains("app.created") == true)
        #expect(try store.deliveries(to: "a", in: nil, of: .ping, PageRequest()).items.map(\.id) == [ping])
        #expect(try store.deliveries(to: "a", in: .pending, of: .ping, PageRequest()).items.map(\.id) == [ping])
        #expect(try store.deliveries(to: "a", in: .held, of: .ping, PageRequest()).items.isEmpty)
        #expect(try store.delivery(ping)?.body.contains("webhook.ping") == true)
    }

    @Test func `the next attempt waits for the endpoint's hold`() throws {
        let store = try Workbench().store
        try store.createEndpoint(endpoint("a"), by: author())
        let (_, waiting) = (try store.ping("a", by: author()), try store.ping("a", by: author()))
        let claimed = try #require(try store.claimDue(at: 2000, limit: 1, perEndpoint: 1, lease: 1000).first)
        try store.record([claimed.outcome(.retry(at: 9000), at: 2000, hold: 9000)], at: 2000, disableAfter: .max)
        #expect(try store.delivery(waiting)?.nextAttemptAt == 9000)
    }

    @Test func `another list's cursor is refused`() throws {
        let store = try Workbench().store
        #expect(
            failureCode { _ = try store.deliveries(to: "a", in: nil, of: nil, PageRequest(cursor: "YXVkaXQKMQ")) }
                == .invalidParameter)
    }
}
