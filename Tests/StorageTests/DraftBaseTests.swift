import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// The base of a draft.
@Suite(.eachEngine, .namingEngine) struct DraftBaseTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
    }

    private func change(base: Int64? = nil) throws -> DraftChange {
        DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none, base: base)
    }

    @discardableResult
    private func save(_ ids: String, base: Int64? = nil) throws -> Draft {
        try store.editDraft(.replacement(try shortcutSet(ids)), try change(base: base), of: app, by: author()).draft
    }

    private var stored: Draft? {
        get throws { try store.draft(try version("1.0"), .default, of: app) }
    }

    @Test func `a new draft is made from what stands, and stays so whatever is published`() throws {
        try save("a")
        #expect(try stored?.base == 0)
        try store.publish(try shortcutSet("b"), of: app)
        try save("c")
        #expect(try stored?.base == 0)
        try store.deleteDraft(try change(), of: app, by: author())
        try save("c")
        #expect(try stored?.base == 1)
    }

    @Test func `an editor says what a draft is made from, also where it says the same as before`() throws {
        let draft = try save("a", base: 7)
        #expect(try stored?.base == 7)
        let merged = try save("a", base: 8)
        #expect(try stored?.base == 8)
        #expect(merged.tag == draft.tag)
        #expect(try store.audit(PageRequest(), within: .all).items.count { $0.action == .draftSaved } == 1)
    }

    @Test func `a publish that fails at its time is a draft of the same base again`() throws {
        try store.publish(try shortcutSet("a"), of: app)
        try save("b")
        _ = try store.scheduleDraft(try change(), at: 4000, until: nil, override: nil, of: app, by: author())
        #expect(try stored == nil && scheduled?.base == 1)
        try store.publish(try shortcutSet("c"), of: app)
        try store.publish(try shortcutSet("x", retired: ["b"]), "0.9", of: app)
        while try store.fireNextDue(at: 4000) != nil {}
        #expect(try scheduled == nil && stored?.base == 1)
        #expect(try stored?.set.items.first?.id.description == "b")
    }

    /// The draft of the next entry.
    private var scheduled: Draft? {
        get throws {
            guard case .publish(let draft, _)? = try store.schedule(of: app, PageRequest()).items.first?.action else { return nil }
            return draft
        }
    }

    @Test(arguments: [nil, "1.0"]) func `a draft that was made from something else is not published`(_ current: String?) throws {
        if let current { try store.publish(try shortcutSet("a"), current, of: app) }
        let revision: Int64 = current == nil ? 0 : 1
        try save("b")
        let wrong = try change(base: revision + 1)
        #expect(
            failureCode { _ = try store.publishDraft(wrong, PublishOptions(), override: nil, of: app, by: author()) } == .preconditionFailed
        )
        #expect(
            failureCode { _ = try store.scheduleDraft(wrong, at: 9000, until: nil, override: nil, of: app, by: author()) }
                == .preconditionFailed)
        #expect(try stored != nil)
        let right = try change(base: revision)
        #expect(try store.publishDraft(right, PublishOptions(), override: nil, of: app, by: author()).isChange)
    }

    @Test func `an approval leaves it alone`() throws {
        try save("a", base: 3)
        _ = try store.approveDraft(
            try change(), of: app, by: Author(token: "ben", tokenID: "ben", address: "", request: "", at: 1))
        #expect(try stored?.approvals.count == 1 && stored?.base == 3)
    }
}
