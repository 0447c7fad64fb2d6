import Shortcuts
import Testing

@testable import Storage

/// The notices of a commit, which are logged.
@Suite(.eachEngine, .namingEngine) struct NoticeTests {
    private let bench: Workbench

    init() throws {
        bench = try Workbench()
    }

    /// The notices, as one word each.
    private var told: [String] {
        bench.heard.notices.withLock { notices in
            defer { notices = [] }
            return notices.map { notice in
                switch notice {
                case .written(let entry): "\(entry.action.rawValue) by \(entry.author.token)"
                case .deliveryExhausted(let delivery):
                    "exhausted \(delivery.type.rawValue) of \(delivery.app?.description ?? "none") after \(delivery.attempts)"
                case .endpointDisabled(let id, let reason, let author): "disabled \(id) \(reason.rawValue) by \(author?.token ?? "itself")"
                case .scheduleFailed(let app, let entry, let failure):
                    "failed \(app) \(entry.version) \(failure.code.rawValue) by \(entry.author.token) \(entry.author.request)"
                case .rolloutStopped(let app, let set, let reason): "stopped \(app) \(set.version) \(reason.rawValue)"
                case .quarantined(let entry): "quarantined \(entry.kind.rawValue)"
                }
            }
        }
    }

    @Test func `each write is told once, a refused and an identical one never`() throws {
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), of: app)
        #expect(told == ["app.created by ana", "set.published by ana"])
        try bench.store.publish(try shortcutSet("a"), of: app)
        #expect(failureCode { try bench.store.publish(nil, "9.0", of: app) } == .unknownResource)
        #expect(told == [])
    }

    @Test func `a delivery is told when it is exhausted, not when an attempt by hand fails after that`() throws {
        let store = bench.store
        try store.createEndpoint(endpoint("a"), by: author())
        try store.makeApp()
        _ = told
        let claimed = try #require(try store.claimDue(at: 2000, limit: 1, perEndpoint: 1, lease: 1000).first)
        try store.record([claimed.outcome(.retry(at: 3000), at: 2000)], at: 2000, disableAfter: .max)
        #expect(told == [])
        let again = try #require(try store.claimDue(at: 3000, limit: 1, perEndpoint: 1, lease: 1000).first)
        try store.record([again.outcome(.exhausted, at: 3000)], at: 3000, disableAfter: .max)
        #expect(told == ["exhausted app.created of com.example.notes after 2"])
        _ = try store.resend(claimed.id, by: author(at: 4000))
        #expect(told == ["delivery.resent by ana"])
        let resent = try #require(try store.claimDue(at: 4000, limit: 1, perEndpoint: 1, lease: 1000).first)
        try store.record([resent.outcome(.exhausted, at: 4000)], at: 4000, disableAfter: .max)
        #expect(told == [])
    }

    @Test(arguments: [true, false]) func `an endpoint that disables itself is told with its reason`(_ removed: Bool) throws {
        let store = bench.store
        try store.createEndpoint(endpoint("a"), by: author())
        _ = try store.ping("a", by: author())
        _ = told
        let claimed = try #require(try store.claimDue(at: 2000, limit: 1, perEndpoint: 1, lease: 1000).first)
        try store.record([claimed.outcome(.retry(at: 9000), at: 2000, removed: removed)], at: 2000, disableAfter: removed ? .max : 0)
        #expect(told == ["disabled a \(removed ? "gone" : "failing") by itself"])
        #expect(try store.disabledEndpoints() == [removed ? .removed : .failing: 1])
    }

    @Test func `an endpoint that is disabled by hand is told once`() throws {
        let store = bench.store
        try store.createEndpoint(endpoint("a"), by: author())
        _ = told
        for _ in 0..<2 {
            _ = try store.updateEndpoint("a", isEnabling: false, by: author()) { endpoint throws(Failure) in
                var changed = endpoint
                changed.setEnabled(false, at: 2000)
                return changed
            }
        }
        #expect(told == ["disabled a operator by ana", "webhook.updated by ana", "webhook.updated by ana"])
        #expect(try store.disabledEndpoints() == [.operator: 1])
    }
}
