import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct RecoveryTests {
    private let bench: Workbench
    private var store: Store { bench.store }

    /// Deliveries of 1000 (delivered), 1001 (exhausted) and 1002 (held); the endpoint is disabled.
    init() throws {
        bench = try Workbench()
        try bench.store.createEndpoint(endpoint("a"), by: author())
        for time in [1000, 1001, 1002] as [Timestamp] { _ = try bench.store.ping("a", by: author(at: time)) }
        let claimed = try bench.store.claimDue(at: 1500, limit: 2, perEndpoint: 8, lease: 1000)
        try bench.store.record(
            [claimed[0].outcome(.delivered, at: 1600), claimed[1].outcome(.exhausted, at: 1600)], at: 1600, disableAfter: .max)
        try enable(false)
    }

    private func enable(_ enabled: Bool) throws {
        _ = try store.updateEndpoint("a", isEnabling: false, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.setEnabled(enabled, at: 1700)
            return changed
        }
    }

    @Test(
        arguments: [
            (nil, 2, ["delivered", "pending", "pending"]), (1001, 2, ["delivered", "pending", "pending"]),
            (1002, 1, ["delivered", "exhausted", "pending"]), (1003, 0, ["delivered", "exhausted", "held"]),
        ] as [(Timestamp?, Int, [String])])
    func `makes due what was created since then`(_ since: Timestamp?, _ count: Int, _ states: [String]) throws {
        #expect(try store.states(of: "a") == ["delivered", "exhausted", "held"])
        #expect(try store.recover("a", since: since, by: author(at: 2000)) == count)
        #expect(try store.states(of: "a") == states)
        #expect(try store.count("audit", where: "action = 'webhook.recovered'") == 1)
    }

    @Test func `sends nothing until the endpoint is enabled, whatever else is changed`() throws {
        _ = try store.recover("a", since: nil, by: author(at: 2000))
        _ = try store.updateEndpoint("a", isEnabling: false, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.description = "renamed"
            return changed
        }
        #expect(try store.endpoint("a")?.enabled == false)
        #expect(try store.claimDue(at: 9000, limit: 9, perEndpoint: 9, lease: 1).isEmpty)
        try enable(true)
        #expect(try store.claimDue(at: 9000, limit: 9, perEndpoint: 9, lease: 1).map(\.event.occurredAt) == [1001, 1002])
    }

    @Test func `counts attempts anew and keeps the old ones in the log`() throws {
        try enable(true)
        _ = try store.recover("a", since: nil, by: author(at: 2000))
        let claimed = try store.claimDue(at: 2000, limit: 9, perEndpoint: 9, lease: 1000)
        #expect(claimed.map(\.attemptsMade) == [0, 0])
        try store.record([claimed[0].outcome(.retry(at: 9000), at: 2100)], at: 2100, disableAfter: .max)
        #expect(try store.delivery(claimed[0].id)?.attempts.map(\.at) == [1600, 2100])
        let again = try store.claimDue(at: 9000, limit: 9, perEndpoint: 9, lease: 1)
        #expect(again.first { $0.id == claimed[0].id }?.attemptsMade == 1)
    }

    @Test func `an ordered endpoint gets what is recovered in the order of events`() throws {
        try store.execute("UPDATE endpoints SET ordered = 1")
        try enable(true)
        _ = try store.ping("a", by: author(at: 1900))
        _ = try store.recover("a", since: nil, by: author(at: 2000))
        var order: [Timestamp] = []
        while let next = try store.claimDue(at: 3000, limit: 9, perEndpoint: 9, lease: 1000).first {
            order.append(next.event.occurredAt)
            try store.record([next.outcome(.delivered, at: 3000)], at: 3000, disableAfter: .max)
        }
        #expect(order == [1001, 1002, 1900])
    }

    @Test func `of no endpoint is refused`() {
        #expect(failureCode { _ = try store.recover("nobody", since: nil, by: author()) } == .unknownResource)
    }
}

@Suite(.eachEngine, .namingEngine) struct SecretRotationTests {
    private let store: Store

    init() throws {
        store = try Workbench().store
        try store.createEndpoint(endpoint("a"), by: author())
    }

    @Test func `signs with both until the overlap ends, older events too`() throws {
        _ = try store.ping("a", by: author())
        try store.rotateSecret(of: "a", to: "whsec_new", previousExpiresAt: 5000, by: author(at: 2000))
        let claimed = try #require(try store.claimDue(at: 3000, limit: 1, perEndpoint: 1, lease: 1000).first)
        #expect(claimed.endpoint.secrets.valid(at: 4999) == ["whsec_new", "whsec_a"])
        #expect(claimed.endpoint.secrets.valid(at: 5000) == ["whsec_new"])
        #expect(try store.count("audit", where: "action = 'webhook.secret-rotated'") == 1)
    }

    @Test func `without an overlap the previous is forgotten at once, and so is the one before`() throws {
        try store.rotateSecret(of: "a", to: "whsec_b", previousExpiresAt: 9000, by: author(at: 2000))
        try store.rotateSecret(of: "a", to: "whsec_c", previousExpiresAt: 3000, by: author(at: 3000))
        #expect(try store.count("endpoints", where: "secret = 'whsec_c' AND previous_secret IS NULL") == 1)
        #expect(try store.endpoint("a")?.secrets.valid(at: 3000) == ["whsec_c"])
    }

    @Test func `of no endpoint is refused`() {
        #expect(
            failureCode { try store.rotateSecret(of: "nobody", to: "s", previousExpiresAt: 1, by: author()) } == .unknownResource)
    }
}
