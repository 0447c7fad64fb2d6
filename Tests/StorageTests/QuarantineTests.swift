import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Storage

/// An unreadable row stops nothing else. It stays in place, and each start retries it.
@Suite(.eachEngine, .namingEngine) struct QuarantineTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
    }

    private func schedule(_ id: String, _ text: String, at time: Timestamp, until: Timestamp? = nil) throws -> ScheduleID {
        let change = DraftChange(version: try version(text), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.replacement(try shortcutSet(id)), change, of: app, by: author())
        return try store.scheduleDraft(change, at: time, until: until, override: nil, of: app, by: author()).id
    }

    private var quarantined: [String] {
        bench.heard.notices.withLock { notices in
            notices.compactMap { if case .quarantined(let entry) = $0 { "\(entry.kind.rawValue) \(entry.id)" } else { nil } }
        }
    }

    @Test(arguments: [
        "document = '{'", #"document = '{"items": 5}'"#, "document = 'nothing'", "version = 'x'", "audience = ''", "approvals = '[7]'",
        "scheduled_by = scheduled_by, savers = '{}'", "override_reason = ''",
    ])
    func `an entry of the schedule that cannot be read lets the others fire`(_ damage: String) throws {
        let bad = try schedule("a", "1.0", at: 3000, until: 9000)
        _ = try schedule("b", "2.0", at: 3000)
        _ = try schedule("c", "3.0", at: 4000)
        try store.execute("UPDATE schedule SET \(damage) WHERE id = '\(bad)'")
        var fired: [String] = []
        while let entry = try store.fireNextDue(at: 4000) {
            switch entry {
            case .done(_, let entry, _): fired.append("\(entry.version)")
            case .quarantined(let id): fired.append(id == bad ? "bad" : "other")
            case .failed, .handedOver: fired.append("failed")
            }
        }
        #expect(fired == ["bad", "2.0.0", "3.0.0"])
        #expect(quarantined == ["schedule \(bad)"])
        // Its automatic revert would revert a publish that never happened.
        #expect(try store.quarantined() == [.schedule: 2, .delivery: 0])
        #expect(try store.appsDue(after: 0, until: 9000) == [] && store.snapshot(of: app)?.nextPublish == nil)
        #expect(try store.count("schedule", where: "id = '\(bad)'") == 1)
        #expect(try store.schedule(of: app, PageRequest()).items.map(\.kind) == [.delete])
        #expect(try store.fireNextDue(at: 9000) == nil)
        // A start retries it, and a person may cancel it.
        try store.retryQuarantined(at: 9000)
        #expect(try store.quarantined()[.schedule] == 0)
        try store.cancel(bad, of: app, by: author())
        #expect(try store.count("schedule") == 0)
    }

    @Test func `an entry that is mended fires after the next start`() throws {
        let bad = try schedule("a", "1.0", at: 3000)
        try store.execute("UPDATE schedule SET approvals = '[7]'")
        #expect(try store.fireNextDue(at: 3000) != nil && store.fireNextDue(at: 3000) == nil)
        try store.execute("UPDATE schedule SET approvals = '[]'")
        #expect(try store.fireNextDue(at: 3000) == nil)
        try store.retryQuarantined(at: 4000)
        guard case .done(_, let entry, _)? = try store.fireNextDue(at: 4000) else { return #expect(Bool(false)) }
        #expect(entry.id == bad)
    }

    @Test(arguments: ["app = '-'", "app = ''"])
    func `a delivery that cannot be read lets the others go`(_ damage: String) throws {
        for id in ["a", "b"] as [EndpointID] { try store.createEndpoint(endpoint(id, ordered: id == "b"), by: author()) }
        let bad = try ["a", "b"].map { try store.ping(EndpointID($0), by: author(at: 1500)) }
        try store.execute("UPDATE events SET \(damage) WHERE occurred_at = 1500")
        let good = try ["a", "b"].map { try store.ping(EndpointID($0), by: author(at: 1600)) }
        #expect(try store.claimDue(at: 2000, limit: 9, perEndpoint: 8, lease: 1000).map(\.id) == [good[0]])
        #expect(Set(quarantined) == Set(bad.map { "delivery \($0)" }))
        #expect(try store.quarantined()[.delivery] == 2)
        // Nothing is retried in a loop, and an ordered endpoint keeps its order.
        #expect(try store.claimDue(at: 2500, limit: 9, perEndpoint: 8, lease: 1000).isEmpty)
        #expect(try store.deliveries(to: "a", in: nil, of: nil, PageRequest()).items.map(\.id) == [good[0]])
        try store.execute("UPDATE events SET app = NULL")
        try store.retryQuarantined(at: 3000)
        let claimed = try store.claimDue(at: 3000, limit: 9, perEndpoint: 8, lease: 9000).map(\.id)
        #expect(Set(bad).isSubset(of: claimed))
        #expect(try store.quarantined()[.delivery] == 0)
    }

    @Test func `an endpoint that cannot be read stops neither the others nor a publish`() throws {
        var configuration = Store.Configuration()
        let noted = Noted()
        configuration.noteUnreadable = noted.note
        for id in ["a", "b", "c"] as [EndpointID] {
            try store.createEndpoint(endpoint(id), by: author())
            _ = try store.ping(id, by: author())
        }
        try store.execute("UPDATE endpoints SET headers = 'Authorization' WHERE id = 'b'")
        let reopened = try bench.reopened(configuration)
        #expect(try reopened.endpoints(PageRequest(limit: 2), within: .all).items.map(\.id) == ["a", "c"])
        #expect(noted.rows.withLock { $0 }.map(\.table) == ["endpoints"])
        #expect(!noted.rows.withLock { $0 }.contains { $0.cause.contains("Authorization") })
        #expect(try reopened.claimDue(at: 1000, limit: 9, perEndpoint: 8, lease: 1000).map(\.endpoint.id) == ["a", "c"])
        try reopened.publish(try shortcutSet("a"), of: app)
        #expect(try reopened.states(of: "c") == ["pending", "pending"])
        #expect(try reopened.states(of: "b") == ["held"])
    }

    @Test func `a list leaves out what cannot be read, and has the rest on all of its pages`() throws {
        let ids = try (0..<6).map { number in
            let change = DraftChange(version: try version("\(number).0"), audience: .default, writeCondition: .none)
            _ = try store.editDraft(.replacement(try shortcutSet("d\(number)")), change, of: app, by: author())
            _ = try store.putRelease(try release("\(number).0"), keepsAssets: false, of: app, by: author())
            try store.publish(try shortcutSet("r\(number)"), "\(number).0", of: app)
            return number
        }
        for number in [0, 2, 3] {
            for table in ["drafts", "releases"] { try store.execute("UPDATE \(table) SET document = '{' WHERE version = '\(number).0.0'") }
        }
        try store.execute("UPDATE revisions SET document = '{' WHERE number IN (1, 3, 4)")
        let reopened = try bench.reopened()
        for limit in [1, 2, 3, 50] {
            let request = { (cursor: String?) in PageRequest(limit: limit, cursor: cursor) }
            #expect(try pages { try reopened.drafts(of: app, request($0)) }.map { "\($0.version)" } == ["1.0.0", "4.0.0", "5.0.0"])
            #expect(try pages { try reopened.releases(of: app, request($0)) }.map { "\($0.id)" } == ["1.0.0", "4.0.0", "5.0.0"])
            #expect(try pages { try reopened.revisions(of: app, request($0)) }.map(\.number) == [6, 5, 2])
            #expect(try pages { try reopened.sets(of: app, audience: nil, request($0)) }.map(\.set.revision) == [2, 5, 6])
        }
        #expect(ids.count == 6)
        // A fetch of another version still works.
        #expect(try reopened.snapshot(of: app, effectiveFor: try version("5.0"), .default) != nil)
    }

    private func pages<Element>(_ read: (String?) throws -> Page<Element>) rethrows -> [Element] {
        var (found, cursor) = ([Element](), String?.none)
        repeat {
            let page = try read(cursor)
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }

    @Test func `an entry of the journal that cannot be read stops no stream`() throws {
        let start = try store.streamPosition()
        for id in ["a", "b", "c"] { try store.publish(try shortcutSet(id), of: app) }
        try store.execute("UPDATE stream_journal SET audience = '' WHERE number = \(start.number + 2)")
        #expect(try store.streamEntries(after: start, limit: 9)?.map(\.position.number) == [start.number + 1, start.number + 3])
        #expect(try store.streamBeginning(of: [app], after: start, limit: 9).missed?.map(\.position.number) == [start.number + 3])
    }
}

private final class Noted: Sendable {
    let rows = Mutex<[UnreadableRow]>([])

    func note(_ row: UnreadableRow) { rows.withLock { $0.append(row) } }
}
