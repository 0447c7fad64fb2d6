import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct PruningTests {
    private static let day: Int64 = 24 * 3_600_000
    private let store: Store

    /// An endpoint with one delivery in each state, each with an attempt, all with the event time 1000.
    init() throws {
        store = try Workbench().store
        try store.createEndpoint(endpoint("a"), by: author())
        for state in Delivery.State.allCases {
            let id = try store.ping("a", by: author())
            let next = state == .pending ? "1000" : "NULL"
            try store.execute("UPDATE deliveries SET state = '\(state.rawValue)', next_attempt_at = \(next) WHERE id = '\(id)'")
        }
        try store.execute("INSERT INTO attempts (delivery, at, duration_ms) SELECT sequence, 1000, 1 FROM deliveries")
    }

    @Test(arguments: [
        (14 * day, ["pending", "delivered", "exhausted", "held", "cancelled"], 5),
        (14 * day + 1, ["pending", "delivered", "exhausted", "cancelled"], 5),
        (30 * day, ["pending", "delivered", "exhausted", "cancelled"], 5), (30 * day + 1, ["pending"], 1),
        (300 * day, ["pending"], 1),
    ])
    func `held goes after 14 days, what is finished after 30, what is pending never`(
        _ age: Int64, _ states: [String], _ events: Int
    ) throws {
        while try store.prune(at: Timestamp(milliseconds: 1000 + age)).hasMore {}
        #expect(try store.states(of: "a").sorted() == states.sorted())
        #expect(try store.count("attempts") == states.count)
        #expect(try store.count("events") == events)
    }

    @Test func `keeps the audit for ever, or as long as it is told to`() throws {
        let entries = try store.count("audit")
        let first = author().at.milliseconds
        _ = try store.prune(at: Timestamp(milliseconds: first + 9000 * Self.day))
        #expect(try store.count("audit") == entries)
        var retention = Retention()
        retention.audit = .seconds(86400)
        _ = try store.prune(at: Timestamp(milliseconds: first + Self.day), keeping: retention)
        #expect(try store.count("audit") == entries)
        while try store.prune(at: Timestamp(milliseconds: first + Self.day + 1), keeping: retention, limit: 2).hasMore {}
        #expect(try store.count("audit") == 0)
    }

    @Test func `goes in small steps until nothing is left to do`() throws {
        for _ in 0..<20 { _ = try store.ping("a", by: author()) }
        try store.execute("UPDATE deliveries SET state = 'delivered', next_attempt_at = NULL")
        var steps: [Int] = []
        while true {
            let step = try store.prune(at: Timestamp(milliseconds: 31 * Self.day), limit: 4)
            steps.append(step.removed)
            guard step.hasMore else { break }
        }
        #expect(steps.allSatisfy { $0 <= 8 })
        #expect(steps.reduce(0, +) == 50)
        #expect(try store.count("deliveries") + store.count("events") + store.count("attempts") == 0)
    }

    @Test func `leaves what an attempt is under way for`() throws {
        try store.execute("UPDATE deliveries SET lease_token = 'l', lease_expires_at = 9 WHERE state = 'held'")
        _ = try store.prune(at: Timestamp(milliseconds: 300 * Self.day))
        #expect(try store.states(of: "a") == ["pending", "held"])
    }

    @Test func `finds what is old by the index`() throws {
        guard Engine.current == .sqlite else { return }
        let plan = try store.database.read { connection throws(Failure) in
            try connection.rows(
                """
                EXPLAIN QUERY PLAN SELECT sequence FROM deliveries
                WHERE state = ? AND state <> 'pending' AND created_at < ? AND lease_token IS NULL ORDER BY created_at LIMIT ?
                """, [.text("held"), .integer(1), .integer(1)],
                as: QueryPlanStep.self)
        }.map(\.detail)
        #expect(plan == ["SEARCH deliveries USING INDEX deliveries_by_age (state=? AND created_at<?)"])
    }
}
