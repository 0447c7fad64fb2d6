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
    private func save(_ ids: String, at from: String = "1.0", maySchedule: Bool = true) throws -> DraftReceipt {
        let set = try shortcutSet(ids)
        return try store.saveDraft(set, try change(from), maySchedule: maySchedule, of: app, by: author())
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
        let receipt = try store.publishDraft(try change(), of: app, by: author(at: 2000))
        #expect(receipt.revision == 1 && receipt.isNew)
        #expect(try store.draft(try version("1.0"), .default, of: app) == nil)
        #expect(failureCode { _ = try store.publishDraft(try change(), of: app, by: author()) } == .unknownResource)
    }

    @Test func `what comes due is published once, in order, in its author's name`() throws {
        for (from, at) in [("1.0", 5000), ("2.0", 4000), ("3.0", 5000)] as [(String, Int64)] {
            try save("a", at: from)
            _ = try store.scheduleDraft(try change(from), at: Timestamp(milliseconds: at), of: app, by: author(at: 1000, "eve"))
        }
        #expect(try store.snapshot(of: app)?.nextPublish == 4000)
        #expect(try store.publishNextDue(at: 3999) == nil)
        while try store.publishNextDue(at: 5001) != nil {}
        #expect(try revisions() == ["1 2.0.0 eve 5001", "2 1.0.0 eve 5001", "3 3.0.0 eve 5001"])
        #expect(try store.snapshot(of: app)?.nextPublish == nil)
        #expect(try bench.reopened().publishNextDue(at: 9000) == nil)
        #expect(try store.count("audit", where: "action = 'draft.scheduled'") == 3)
        #expect(try store.count("audit", where: "action = 'set.published' AND token = 'eve' AND request = 'r-1000'") == 3)
    }

    @Test func `a new time replaces the old one, deleting cancels`() throws {
        try save("a")
        for at in [4000, 6000, 6000] as [Int64] {
            _ = try store.scheduleDraft(try change(), at: Timestamp(milliseconds: at), of: app, by: author())
        }
        #expect(try store.count("events", where: "type = 'shortcuts.scheduled'") == 2)
        #expect(try store.publishNextDue(at: 5000) == nil)
        #expect(try store.nextPublish(after: 0) == 6000)
        try store.deleteDraft(try change(), of: app, by: author())
        #expect(try store.publishNextDue(at: 7000) == nil)
        #expect(try store.nextPublish(after: 0) == nil)
    }

    @Test func `what became invalid stays a draft without a time, and is announced`() throws {
        try save("a", at: "3.0")
        _ = try store.scheduleDraft(try change("3.0"), at: 4000, of: app, by: author())
        try store.publish(try shortcutSet("b", retired: ["a"]), "2.0", of: app)
        guard case .failed(_, _, let failure)? = try store.publishNextDue(at: 4000) else {
            Issue.record("it was published")
            return
        }
        #expect(failure.code == .idReused)
        let told = bench.heard.notices.withLock(\.last)
        guard case .scheduleFailed(app, _, _, let author)? = told else {
            Issue.record("the operator was told \(String(describing: told))")
            return
        }
        #expect((author.token, author.request) == ("ana", "r-1000"))
        #expect(try store.draft(try version("3.0"), .default, of: app)?.schedule == nil)
        #expect(try store.publishNextDue(at: 9000) == nil)
        #expect(try revisions().count == 1)
        #expect(try store.count("events", where: "type = 'shortcuts.schedule-failed' AND body LIKE '%id-reused%'") == 1)
    }

    @Test func `who may not publish may not change what is scheduled`() throws {
        try save("a", maySchedule: false)
        _ = try store.scheduleDraft(try change(), at: 4000, of: app, by: author())
        #expect(failureCode { try save("b", maySchedule: false) } == .forbidden)
        #expect(try save("b").draft.schedule?.at == 4000)
    }

    @Test func `publishing what stands drops the draft and makes no revision`() throws {
        try store.publish(try shortcutSet("a"), "1.0", of: app)
        try save("a")
        let receipt = try store.publishDraft(try change(), of: app, by: author())
        #expect(receipt.revision == 1 && !receipt.isChange)
        #expect(try revisions().count == 1)
        #expect(try store.count("audit", where: "action = 'draft.deleted'") == 1)
    }

    @Test func `a draft goes with its app`() throws {
        try save("a")
        _ = try store.scheduleDraft(try change(), at: 4000, of: app, by: author())
        try store.deleteApp(app, by: author())
        #expect(try store.publishNextDue(at: 9000) == nil)
    }
}
