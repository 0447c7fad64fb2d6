import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct OutcomeTests {
    private func claimed(_ pings: Int) throws -> (Workbench, [ClaimedDelivery]) {
        let bench = try Workbench()
        try bench.store.createEndpoint(endpoint("a"), by: author())
        for _ in 0..<pings { _ = try bench.store.ping("a", by: author()) }
        return (bench, try bench.store.claimDue(at: 1000, limit: pings, perEndpoint: pings, lease: 60_000))
    }

    @Test func `every attempt is kept, delivered and exhausted are final`() throws {
        let (bench, claimed) = try claimed(3)
        try bench.store.record(
            [
                claimed[0].outcome(.delivered, at: 1100, status: 204),
                claimed[1].outcome(.exhausted, at: 1100, response: "no\0pe"),
                claimed[2].outcome(.retry(at: 3000), at: 1100, status: 500),
            ], at: 1100, disableAfter: .max)
        #expect(try bench.store.states(of: "a") == ["delivered", "exhausted", "pending"])
        #expect(try bench.store.count("attempts") == 3)
        #expect(try bench.store.count("attempts", where: "response = 'no\u{FFFD}pe'") == 1)
        #expect(try bench.store.nextDue() == 3000)
        #expect(try bench.store.claimDue(at: 3000, limit: 9, perEndpoint: 9, lease: 1).map(\.attemptsMade) == [1])
    }

    @Test(arguments: [(499, true), (500, false)])
    func `nothing but failure for long enough disables`(_ elapsed: Int64, _ enabled: Bool) throws {
        let (bench, claimed) = try claimed(2)
        try bench.store.record([claimed[0].outcome(.retry(at: 1300), at: 1200)], at: 1200, disableAfter: 500)
        let now = Timestamp(milliseconds: 1200 + elapsed)
        try bench.store.record([claimed[1].outcome(.retry(at: 9000), at: now)], at: now, disableAfter: 500)
        let stored = try #require(try bench.store.endpoint("a"))
        #expect(stored.enabled == enabled)
        #expect(stored.disabledReason == (enabled ? nil : .failing))
        #expect(stored.disabledAt == (enabled ? nil : now))
        #expect(try bench.store.states(of: "a") == Array(repeating: enabled ? "pending" : "held", count: 2))
    }

    @Test func `410 disables at once, exhausts its delivery and holds the rest`() throws {
        let (bench, claimed) = try claimed(2)
        _ = try bench.store.ping("a", by: author())
        try bench.store.record(
            [claimed[0].outcome(.exhausted, at: 1200, status: 410, removed: true)], at: 1200, disableAfter: .max)
        let stored = try #require(try bench.store.endpoint("a"))
        #expect((stored.enabled, stored.disabledReason, stored.disabledAt) == (false, .removed, 1200))
        #expect(try bench.store.states(of: "a") == ["exhausted", "held", "held"])
        // The second attempt was in flight: it succeeded.
        try bench.store.record([claimed[1].outcome(.delivered, at: 1300)], at: 1300, disableAfter: .max)
        #expect(try bench.store.states(of: "a") == ["exhausted", "delivered", "held"])
    }

    @Test(arguments: [Endpoint.DisabledReason.removed, .failing, .operator])
    func `others of the same apps hear that an endpoint is disabled, and the audit has it`(_ reason: Endpoint.DisabledReason) throws {
        let (notes, mail) = (try appID(), try appID("com.example.mail"))
        let bench = try Workbench()
        for other in [
            endpoint("a", apps: [notes]), endpoint("all"), endpoint("both", apps: [mail, notes]), endpoint("other", apps: [mail]),
            endpoint("type", types: [.webhookDisabled]), endpoint("not", types: [.published]), endpoint("off", enabled: false),
        ] {
            try bench.store.createEndpoint(other, by: author())
        }
        if reason == .operator {
            _ = try bench.store.updateEndpoint("a", isEnabling: false, by: author()) { endpoint throws(Failure) in
                var changed = endpoint
                changed.setEnabled(false, at: 1100)
                return changed
            }
        } else {
            _ = try bench.store.ping("a", by: author())
            let claimed = try #require(try bench.store.claimDue(at: 1000, limit: 1, perEndpoint: 1, lease: 1000).first)
            try bench.store.record(
                [claimed.outcome(.exhausted, at: 1100, removed: reason == .removed)], at: 1100, disableAfter: reason == .removed ? .max : 0)
        }
        #expect(try bench.store.endpoint("a")?.disabledReason == reason)
        let told: [EndpointID: Int] = ["a": 0, "all": 1, "both": 1, "other": 0, "type": 1, "not": 0, "off": 0]
        for (id, count) in told {
            let heard = try bench.store.deliveries(to: id, in: .pending, of: .webhookDisabled, PageRequest()).items
            #expect(heard.count == count, "\(id)")
            #expect(heard.allSatisfy { $0.body.contains(#""reason":"\#(reason.rawValue)""#) })
        }
        let audit = try bench.store.audit(PageRequest(), within: .all).items.filter { $0.action == .webhookDisabled }
        #expect(audit.map(\.author.isService) == (reason == .operator ? [] : [true]))
    }

    @Test func `what was held while its attempt ran is not tried again`() throws {
        let (bench, claimed) = try claimed(1)
        _ = try bench.store.updateEndpoint("a", isEnabling: false, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.setEnabled(false, at: 1100)
            return changed
        }
        try bench.store.record([claimed[0].outcome(.retry(at: 2000), at: 1200)], at: 1200, disableAfter: 0)
        #expect(try bench.store.states(of: "a") == ["held"])
        #expect(try bench.store.count("attempts") == 1)
        #expect(try bench.store.endpoint("a")?.disabledReason == .operator)
    }

    @Test(arguments: [false, true])
    func `enabling clears reason, failure window and hold`(_ wasDisabled: Bool) throws {
        let (bench, claimed) = try claimed(1)
        let window: Int64 = wasDisabled ? 0 : .max
        try bench.store.record(
            [claimed[0].outcome(.retry(at: 1300), at: 1200, hold: 9000)], at: 1200, disableAfter: window)
        #expect(try bench.store.endpoint("a")?.enabled == !wasDisabled)
        let enabled = try bench.store.updateEndpoint("a", isEnabling: true, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.setEnabled(true, at: 1400)
            return changed
        }
        #expect(enabled.disabledReason == nil)
        #expect(
            try bench.store.count("endpoints", where: "failing_since IS NULL AND hold_until IS NULL AND enabled = 1")
                == 1)
        #expect(try bench.store.states(of: "a") == [wasDisabled ? "held" : "pending"])
    }

    @Test func `a hold is not shortened and other changes keep it`() throws {
        let (bench, claimed) = try claimed(2)
        try bench.store.record(
            [
                claimed[0].outcome(.retry(at: 1), at: 1200, hold: 9000),
                claimed[1].outcome(.retry(at: 1), at: 1200, hold: 5000),
            ],
            at: 1200, disableAfter: .max)
        _ = try bench.store.updateEndpoint("a", isEnabling: false, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.description = "renamed"
            return changed
        }
        #expect(try bench.store.nextDue() == 9000)
    }

    @Test func `outcomes for a deleted endpoint are dropped`() throws {
        let (bench, claimed) = try claimed(1)
        try bench.store.deleteEndpoint("a", by: author())
        try bench.store.record([claimed[0].outcome(.delivered, at: 1200)], at: 1200, disableAfter: .max)
        #expect(try bench.store.count("attempts") == 0)
    }
}
