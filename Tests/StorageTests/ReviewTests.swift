import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ReviewTests {
    private let bench: Workbench
    private let app: AppID
    private let change: DraftChange
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
        change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        let approvals = try #require(try bench.store.app(app))
        _ = try bench.store.putApp(app, by: author()) { _ throws(Failure) in
            App(id: approvals.id, name: nil, defaultLanguage: approvals.defaultLanguage, fallbackURL: nil, approvals: 1)
        }
    }

    private func save(_ id: String, by name: String = "ana") throws {
        _ = try store.editDraft(.replacement(try shortcutSet(id)), change, of: app, by: author(at: 1000, name))
    }

    @discardableResult
    private func ask(_ state: String, by name: String, _ comment: String? = nil) throws -> DraftReviewReport {
        let document: JSON = ["state": .string(Text(state)), "comment": comment.map { .string(Text($0)) }]
        return try store.review(change, try DraftReviewDocument(document).checked(), of: app, by: author(at: 1000, name))
    }

    private func state() throws -> DraftReview.State {
        let report = try store.review(of: change, of: app, by: author())
        return report.draft.reviewState(needing: report.needed)
    }

    @Test func `a review goes from editing to requested, changes, editing, requested and approved`() throws {
        try save("a")
        #expect(try state() == .editing)
        try ask("requested", by: "ana", "The sale menu")
        #expect(try state() == .requested)
        try ask("changes", by: "qa", "Shorter, please")
        #expect(try state() == .changes)
        try save("b")
        #expect(try state() == .editing)
        try ask("requested", by: "ana")
        _ = try store.approveDraft(change, of: app, by: author(at: 1000, "qa"))
        #expect(try state() == .approved)
        try save("c")
        #expect(try state() == .editing)
    }

    @Test func `a request for changes withdraws the approval of its author only, and approving ends it`() throws {
        try save("a")
        for name in ["qa", "eve"] { _ = try store.approveDraft(change, of: app, by: author(at: 1000, name)) }
        #expect(try ask("changes", by: "qa").draft.approvals.map(\.token) == ["eve"])
        #expect(try state() == .changes)
        _ = try store.approveDraft(change, of: app, by: author(at: 1000, "qa"))
        #expect(try state() == .approved)
    }

    @Test func `each request is in the audit and sends an event with its comment`() throws {
        try save("a")
        try ask("requested", by: "ana", "The sale menu")
        try ask("changes", by: "qa", "Shorter, please")
        let entries = try store.audit(PageRequest(), within: .all).items.prefix(2)
        #expect(entries.map(\.action) == [.changesRequested, .approvalRequested])
        #expect(entries.map { $0.detail.message?.description } == ["Shorter, please", "The sale menu"])
        #expect(try store.count("events", where: "type = 'shortcuts.review' AND body LIKE '%\"state\":\"changes\"%Shorter, please%'") == 1)
        #expect(try store.count("events", where: "type = 'shortcuts.review' AND body LIKE '%\"state\":\"requested\"%sale%'") == 1)
    }

    @Test func `the reader and the tokens are named that may approve`() throws {
        for (name, role) in [("ben", Role.publisher), ("eve", .editor), ("ana", .owner), ("zoe", .owner)] {
            try store.createToken(
                Token(
                    id: TokenID(name), name: name, role: role, scope: .all, createdAt: 7, hash: sha256(Array(name.utf8))),
                by: author(at: 1, "root"))
        }
        try save("a")
        func named(for name: String, _ role: Role) throws -> [String] {
            let reader = Author(token: name, tokenID: TokenID(name), role: role, address: "", request: "", at: 1000)
            return try store.review(of: change, of: app, by: reader).mayApprove
        }
        #expect(try named(for: "ana", .owner) == ["ben", "zoe"])
        #expect(try named(for: "zoe", .owner) == ["zoe", "ben"])
        #expect(try named(for: "person", .publisher) == ["person", "ben", "zoe"])
        #expect(try named(for: "person", .editor) == ["ben", "zoe"])
        _ = try store.approveDraft(change, of: app, by: author(at: 1000, "ben"))
        #expect(try named(for: "ben", .publisher) == ["zoe"])
        try save("b", by: "eve")
        #expect(try named(for: "ana", .owner) == ["ben", "zoe"])
        #expect(try named(for: "eve", .publisher) == ["ben", "zoe"])
    }

    @Test func `a stale tag is refused, and so is a draft that does not exist`() throws {
        #expect(failureCode { try ask("requested", by: "ana") } == .unknownResource)
        try save("a")
        let stale = DraftChange(
            version: change.version, audience: .default, writeCondition: WriteCondition(ifMatch: { _ in false }, ifNoneMatch: { _ in true })
        )
        let request = try DraftReviewDocument(["state": "changes"]).checked()
        #expect(failureCode { _ = try store.review(stale, request, of: app, by: author()) } == .preconditionFailed)
    }
}
