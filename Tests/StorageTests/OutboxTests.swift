import Foundation
import Shortcuts
import Synchronization
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct OutboxTests {
    @Test func `an event goes once to each endpoint that wants it, held where that is disabled`() throws {
        let bench = try Workbench()
        let store = bench.store
        let other = try appID("com.example.other")
        for wanted in [
            endpoint("all"), endpoint("published", types: [.published]), endpoint("created", types: [.appCreated]),
            endpoint("mine", apps: [try appID()]), endpoint("other", apps: [other]), endpoint("off", enabled: false),
            endpoint("none", types: []), endpoint("longer", apps: [try appID("com.example.notes2")]),
        ] {
            try store.createEndpoint(wanted, by: author())
        }
        #expect(bench.heard.queued.withLock(\.self) == 0)
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), of: app)
        #expect(bench.heard.queued.withLock(\.self) == 2)
        let expected: [EndpointID: [String]] = [
            "all": ["pending", "pending"], "published": ["pending"], "created": ["pending"],
            "mine": ["pending", "pending"], "other": [], "off": ["held", "held"], "none": [], "longer": [],
        ]
        for (id, states) in expected { #expect(try store.states(of: id) == states) }
        #expect(try store.count("events") == 2)
        let backlog = try store.backlog()
        #expect((backlog.pending, backlog.oldest, try store.heldEndpoints()) == (6, 1000, 0))
        #expect(try store.databaseByteCount() > 10_000)
    }

    @Test func `a change that fails half-way leaves neither revision nor event nor delivery`() throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        try store.createEndpoint(endpoint("e"), by: author())
        switch Engine.current {
        case .sqlite: try store.execute("CREATE TRIGGER no_audit BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END")
        case .postgres: try store.execute("ALTER TABLE audit ADD CONSTRAINT no_audit CHECK (action <> 'set.published')")
        }
        let tables = ["revisions", "sets", "events", "deliveries", "item_ids", "revision_counters"]
        let before = try tables.map { try store.count($0) }
        #expect(failureCode { try store.publish(try shortcutSet("a"), of: app) } == .internalError)
        #expect(try tables.map { try store.count($0) } == before)
        try store.execute(Engine.current == .sqlite ? "DROP TRIGGER no_audit" : "ALTER TABLE audit DROP CONSTRAINT no_audit")
        #expect(try store.publish(try shortcutSet("a"), of: app).revision == 1)
    }

    @Test func `a ping goes to its endpoint whatever the filters`() throws {
        let bench = try Workbench()
        let store = bench.store
        try store.createEndpoint(endpoint("e", types: [], apps: []), by: author())
        try store.createEndpoint(endpoint("other"), by: author())
        let id = try store.ping("e", by: author())
        let claimed = try store.claimDue(at: 1000, limit: 10, perEndpoint: 8, lease: 1000)
        #expect(claimed.map(\.id) == [id])
        #expect(claimed.first?.event.type == .ping)
        #expect(bench.heard.queued.withLock(\.self) == 1)
        #expect(failureCode { _ = try store.ping("nobody", by: author()) } == .unknownResource)
    }

    @Test func `what is taken out of a filter is cancelled, disabling holds the rest, pings go on`() throws {
        let store = try Workbench().store
        try store.createEndpoint(endpoint("e"), by: author())
        let apps = try ["a", "b"].map { try store.makeApp($0) }
        for app in apps { try store.publish(try shortcutSet("i"), of: app) }
        _ = try store.ping("e", by: author())
        #expect(try store.states(of: "e") == Array(repeating: "pending", count: 5))
        _ = try store.updateEndpoint("e", isEnabling: false, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.types = [.published]
            return changed
        }
        #expect(try store.states(of: "e") == ["cancelled", "cancelled", "pending", "pending", "pending"])
        _ = try store.updateEndpoint("e", isEnabling: false, by: author(at: 50)) { endpoint throws(Failure) in
            var changed = endpoint
            changed.apps = [apps[1]]
            changed.setEnabled(false, at: 50)
            return changed
        }
        #expect(try store.states(of: "e") == ["cancelled", "cancelled", "cancelled", "held", "held"])
        let stored = try #require(try store.endpoint("e"))
        #expect((stored.enabled, stored.disabledReason, stored.disabledAt) == (false, .operator, 50))
        #expect(try store.claimDue(at: 9999, limit: 10, perEndpoint: 8, lease: 1).isEmpty)
        try store.deleteEndpoint("e", by: author())
        #expect(try store.count("deliveries") == 0)
        #expect(failureCode { try store.deleteEndpoint("e", by: author()) } == .unknownResource)
    }

    @Test func `an endpoint comes back as it was stored`() throws {
        let store = try Workbench().store
        var wanted = endpoint("e", types: [.published, .ping], apps: [try appID()], ordered: true)
        wanted.description = "Café: a\u{301}"
        wanted.headers = [
            Endpoint.Header(name: "X-Key", value: "a: b\tc "), Endpoint.Header(name: "X-Empty", value: ""),
        ]
        wanted.secrets = SigningSecrets(current: "whsec_new", previous: "whsec_old", previousExpiresAt: 99)
        try store.createEndpoint(wanted, by: author())
        let stored = try #require(try store.endpoint("e"))
        #expect(stored.values == wanted.values)
        #expect((stored.headers, stored.types, stored.apps) == (wanted.headers, wanted.types, wanted.apps))
    }

    @Test func `whoever claimed for an endpoint hears that it is another one`() throws {
        let bench = try Workbench()
        for id in ["changed", "rotated", "deleted", "gone", "untouched"] as [EndpointID] {
            try bench.store.createEndpoint(endpoint(id), by: author())
        }
        _ = try bench.store.updateEndpoint("changed", isEnabling: false, by: author()) { previous throws(Failure) in previous }
        try bench.store.rotateSecret(of: "rotated", to: "whsec_new", previousExpiresAt: 9000, by: author())
        try bench.store.deleteEndpoint("deleted", by: author())
        for id in ["gone", "untouched"] as [EndpointID] { _ = try bench.store.ping(id, by: author()) }
        for claimed in try bench.store.claimDue(at: 1000, limit: 9, perEndpoint: 9, lease: 60_000) {
            let isRemoved = claimed.endpoint.id == "gone"
            try bench.store.record(
                [claimed.outcome(isRemoved ? .exhausted : .delivered, at: 1100, status: isRemoved ? 410 : 200, removed: isRemoved)],
                at: 1100,
                disableAfter: .max)
        }
        #expect(bench.heard.endpoints.withLock { $0 } == [["changed"], ["rotated"], ["deleted"], ["gone"]])
    }
}

extension Store {
    func execute(_ sql: String) throws {
        _ = try database.write { connection throws(Failure) in try connection.execute(sql, []) }
    }
}
