import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Schedule entries and automatic reverts. A set is identified by the id of its only item.
@Suite(.eachEngine, .namingEngine) struct ScheduleTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
    }

    private func draft(_ id: String, at time: Timestamp, until: Timestamp? = nil) throws -> ScheduleEntry {
        let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.replacement(try shortcutSet(id)), change, of: app, by: author())
        return try store.scheduleDraft(change, at: time, until: until, override: nil, of: app, by: author())
    }

    private func publish(_ id: String, until: Timestamp? = nil) throws {
        try store.publish(try shortcutSet(id), of: app, until: until)
    }

    /// The published item, or "-" without a set.
    private func current() throws -> String {
        try store.set(try version("1.0"), .default, of: app)?.set.items.first?.id.description ?? "-"
    }

    /// The published item after all entries up to that time have run.
    private func current(at time: Timestamp) throws -> String {
        while try store.fireNextDue(at: time) != nil {}
        return try current()
    }

    private func entries() throws -> [String] {
        try store.schedule(of: app, PageRequest()).items.map {
            "\($0.at.milliseconds) \($0.kind) \($0.set?.items.first?.id.description ?? "-")"
        }
    }

    private func failed(_ code: String) throws -> Int {
        try store.count("events", where: "type = 'shortcuts.schedule-failed' AND body LIKE '%\"\(code)\"%'")
    }

    @Test func `what stood comes back`() throws {
        try publish("a")
        try publish("b", until: 4000)
        #expect(try entries() == ["4000 restore a"])
        #expect(try store.snapshot(of: app)?.nextPublish == 4000)
        #expect(try current(at: 3999) == "b")
        #expect(try current(at: 4000) == "a")
        #expect(try entries() == [] && store.snapshot(of: app)?.nextPublish == nil)
        #expect(try store.count("events", where: "type = 'shortcuts.scheduled'") == 1)
    }

    @Test func `a set that was not there before is deleted again`() throws {
        try publish("a", until: 4000)
        #expect(try entries() == ["4000 delete -"])
        #expect(try current(at: 4000) == "-")
    }

    @Test func `an end of what changes nothing makes no entry`() throws {
        try publish("a")
        try publish("a", until: 4000)
        #expect(try entries() == [])
    }

    @Test func `a newer publish is not run over`() throws {
        try publish("a")
        try publish("b", until: 4000)
        try publish("c")
        #expect(try current(at: 4000) == "c")
        #expect(try failed("superseded") == 1 && entries() == [])
    }

    @Test func `a publish with an end inside of another one comes back to that, and that one to what was before`() throws {
        try publish("a")
        try publish("b", until: 8000)
        try publish("c", until: 4000)
        #expect(try current(at: 4000) == "b")
        #expect(try current(at: 8000) == "a")
        #expect(try failed("superseded") == 0)
    }

    @Test func `of two publishes whose times cross the second one comes back to what was before both`() throws {
        try publish("a")
        try publish("b", until: 4000)
        try publish("c", until: 8000)
        #expect(try current(at: 4000) == "c")
        #expect(try entries() == ["8000 restore a"])
        #expect(try current(at: 8000) == "a")
        #expect(try failed("superseded") == 0)
    }

    @Test func `three that cross hand on to the last one`() throws {
        try publish("b", until: 4000)
        try publish("c", until: 6000)
        try publish("d", until: 8000)
        #expect(try current(at: 4000) == "d" && current(at: 6000) == "d")
        #expect(try current(at: 8000) == "-")
        #expect(try failed("superseded") == 0)
    }

    @Test func `a publish at a time brings back what stands when it fires`() throws {
        try publish("a")
        _ = try draft("b", at: 4000, until: 6000)
        #expect(try entries() == ["4000 publish b", "6000 restore -"])
        try publish("x")
        #expect(try current(at: 4000) == "b")
        #expect(try entries() == ["6000 restore x"])
        #expect(try current(at: 6000) == "x")
    }

    @Test func `where nothing stands when it fires, it is deleted at its end`() throws {
        try publish("a")
        _ = try draft("b", at: 4000, until: 6000)
        try store.publish(nil, of: app)
        #expect(try current(at: 4000) == "b" && entries() == ["6000 delete -"])
        #expect(try current(at: 6000) == "-")
    }

    @Test func `both its instants may have passed`() throws {
        try publish("a")
        _ = try draft("b", at: 4000, until: 6000)
        #expect(try current(at: 9000) == "a")
        #expect(try store.count("revisions") == 3)
    }

    @Test func `two publishes that follow each other come back in turn, whichever was scheduled first`() throws {
        try publish("a")
        for isReversed in [false, true] {
            let spans: [(String, Timestamp, Timestamp)] = [("b", 4000, 6000), ("c", 6000, 8000)]
            for (id, at, until) in isReversed ? spans.reversed() : spans { _ = try draft(id, at: at, until: until) }
            #expect(try [current(at: 5000), current(at: 7000), current(at: 9000)] == ["b", "c", "a"])
        }
        #expect(try failed("superseded") == 0)
    }

    @Test func `a publish that changes nothing when it is due leaves no way back`() throws {
        _ = try draft("a", at: 4000, until: 6000)
        try publish("a")
        #expect(try current(at: 4000) == "a" && entries() == [])
        #expect(try store.count("revisions") == 1)
    }

    @Test func `calling a publish off takes its way back along, calling that off lets it stand`() throws {
        let first = try draft("b", at: 4000, until: 6000)
        try store.cancel(first.id, of: app, by: author())
        #expect(try entries() == [] && current(at: 9000) == "-")
        _ = try draft("c", at: 4000, until: 6000)
        let automaticRevert = try #require(try store.schedule(of: app, PageRequest()).items.last)
        try store.cancel(automaticRevert.id, of: app, by: author())
        #expect(try current(at: 9000) == "c")
        #expect(failureCode { try store.cancel(first.id, of: app, by: author()) } == .unknownResource)
        #expect(try store.count("audit", where: "action = 'schedule.cancelled'") == 2)
    }

    @Test func `a publish that fails takes its way back along and is a draft again where there is none`() throws {
        for hasNewer in [false, true] {
            let entry = try draft("b", at: 4000, until: 6000)
            let change = DraftChange(version: entry.version, audience: .default, writeCondition: .none)
            if hasNewer { _ = try store.editDraft(.replacement(try shortcutSet("n")), change, of: app, by: author()) }
            try store.publish(try shortcutSet("x", retired: ["b"]), "0.9", of: app)
            #expect(try current(at: 6000) == "-" && entries() == [])
            let draft = try #require(try store.draft(entry.version, .default, of: app))
            #expect(draft.set.items.first?.id.description == (hasNewer ? "n" : "b"))
            try store.deleteDraft(change, of: app, by: author())
            try store.publish(nil, "0.9", of: app)
        }
        #expect(try failed("id-reused") == 2)
    }

    @Test func `a revision is restored at a time whatever stands then`() throws {
        try publish("a")
        try publish("b")
        let entry = try store.scheduleRestore(of: 1, at: 4000, expecting: .none, message: nil, of: app, by: author())
        #expect(entry.revision == 1)
        try publish("c")
        #expect(try current(at: 4000) == "a")
        #expect(
            failureCode { _ = try store.scheduleRestore(of: 9, at: 4000, expecting: .none, message: nil, of: app, by: author()) }
                == .unknownResource)
        try store.publish(nil, of: app)
        #expect(
            failureCode { _ = try store.scheduleRestore(of: 5, at: 4000, expecting: .none, message: nil, of: app, by: author()) }
                == .conflict)
    }

    @Test(arguments: [1, 2, 3, 200]) func `entries are listed as they are due, page by page`(_ limit: Int) throws {
        for (id, at) in [("a", 6000), ("b", 4000), ("c", 6000), ("d", 4000)] as [(String, Timestamp)] { _ = try draft(id, at: at) }
        var listed: [String] = []
        var page = PageRequest(limit: limit)
        while true {
            let found = try store.schedule(of: app, page)
            listed += found.items.compactMap { $0.set?.items.first?.id.description }
            guard let next = found.next else { break }
            page = PageRequest(limit: limit, cursor: next)
        }
        #expect(listed == ["b", "d", "a", "c"])
    }

    @Test func `it goes with its app`() throws {
        try publish("a", until: 4000)
        _ = try draft("b", at: 3000)
        try store.deleteApp(app, by: author())
        #expect(try store.count("schedule") == 0 && store.fireNextDue(at: 9000) == nil)
    }
}
