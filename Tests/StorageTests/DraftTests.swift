import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct DraftTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
    }

    private func change(_ from: String = "1.0", _ writeCondition: WriteCondition = .none) throws -> DraftChange {
        DraftChange(version: try version(from), audience: .default, writeCondition: writeCondition)
    }

    @discardableResult
    private func save(_ ids: String, at from: String = "1.0") throws -> DraftReceipt {
        try store.editDraft(.replacement(try shortcutSet(ids)), try change(from), of: app, by: author())
    }

    @discardableResult
    private func schedule(_ from: String = "1.0", at time: Timestamp, by author: Author = author()) throws -> ScheduleEntry {
        try store.scheduleDraft(try change(from), at: time, until: nil, override: nil, of: app, by: author)
    }

    private func publish() throws -> PublishReceipt {
        try store.publishDraft(try change(), PublishOptions(), override: nil, of: app, by: author(at: 2000))
    }

    private func revisions() throws -> [String] {
        try store.revisions(of: app, PageRequest()).items.reversed().map {
            "\($0.number) \($0.version) \($0.by) \($0.publishedAt.milliseconds)"
        }
    }

    @Test func `a draft is served to nobody and makes no timeline`() throws {
        try save("a")
        let snapshot = try #require(try store.snapshot(of: app))
        #expect(snapshot.timelines.isEmpty && snapshot.nextPublish == nil)
        #expect(try store.draft(try version("1.0"), .default, of: app)?.set == (try shortcutSet("a")))
        #expect(try store.count("events", where: "type LIKE 'shortcuts.%'") == 0)
    }

    @Test func `every save has another tag, the same content keeps it`() throws {
        let first = try save("a")
        #expect(first.isNew)
        #expect(try save("a").draft.tag == first.draft.tag)
        let second = try save("b")
        #expect(second.draft.tag != first.draft.tag && !second.isNew)
        let stale = WriteCondition(ifMatch: { $0 == first.draft.tag }, ifNoneMatch: { _ in true })
        #expect(failureCode { try store.deleteDraft(try change("1.0", stale), of: app, by: author()) } == .preconditionFailed)
    }

    @Test func `publishing takes the draft`() throws {
        try save("a")
        let receipt = try publish()
        #expect(receipt.revision == 1 && receipt.isNew)
        #expect(try store.draft(try version("1.0"), .default, of: app) == nil)
        #expect(failureCode { _ = try publish() } == .unknownResource)
    }

    @Test func `what comes due is published once, in order, in its author's name`() throws {
        for (from, at) in [("1.0", 5000), ("2.0", 4000), ("3.0", 5000)] as [(String, Int64)] {
            try save("a", at: from)
            try schedule(from, at: Timestamp(milliseconds: at), by: author(at: 1000, "eve"))
        }
        #expect(try store.snapshot(of: app)?.nextPublish == 4000)
        #expect(try store.fireNextDue(at: 3999) == nil)
        while try store.fireNextDue(at: 5001) != nil {}
        #expect(try revisions() == ["1 2.0.0 eve 5001", "2 1.0.0 eve 5001", "3 3.0.0 eve 5001"])
        #expect(try store.snapshot(of: app)?.nextPublish == nil)
        #expect(try bench.reopened().fireNextDue(at: 9000) == nil)
        #expect(try store.count("audit", where: "action = 'draft.scheduled'") == 3)
        #expect(try store.count("audit", where: "action = 'set.published' AND token = 'eve' AND request = 'r-1000'") == 3)
    }

    @Test func `what became invalid is a draft again, and is announced`() throws {
        try save("a", at: "3.0")
        try schedule("3.0", at: 4000)
        try store.publish(try shortcutSet("b", retired: ["a"]), "2.0", of: app)
        guard case .failed(_, _, let failure)? = try store.fireNextDue(at: 4000) else {
            Issue.record("it was published")
            return
        }
        #expect(failure.code == .idReused)
        let told = bench.heard.notices.withLock(\.last)
        guard case .scheduleFailed(app, let entry, _)? = told else {
            Issue.record("the operator was told \(String(describing: told))")
            return
        }
        #expect((entry.author.token, entry.author.request) == ("ana", "r-1000"))
        #expect(try store.draft(try version("3.0"), .default, of: app)?.set == (try shortcutSet("a")))
        #expect(try store.fireNextDue(at: 9000) == nil)
        #expect(try revisions().count == 1)
        #expect(try store.count("events", where: "type = 'shortcuts.schedule-failed' AND body LIKE '%id-reused%'") == 1)
    }

    @Test func `publishing what stands drops the draft and makes no revision`() throws {
        try store.publish(try shortcutSet("a"), "1.0", of: app)
        try save("a")
        let receipt = try publish()
        #expect(receipt.revision == 1 && !receipt.isChange)
        #expect(try revisions().count == 1)
        #expect(try store.count("audit", where: "action = 'draft.deleted'") == 1)
    }

    @Test func `a draft goes with its app`() throws {
        try save("a")
        try schedule(at: 4000)
        try store.deleteApp(app, by: author())
        #expect(try store.fireNextDue(at: 9000) == nil)
    }
}
