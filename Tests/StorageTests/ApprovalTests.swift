import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ApprovalTests {
    private let bench: Workbench
    private let app: AppID
    private let change: DraftChange
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
        change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        try require(1)
    }

    private func require(_ approvals: Int64) throws {
        _ = try store.putApp(app, override: OverrideReason("The rule"), by: author()) { snapshot throws(Failure) in
            guard let previous = snapshot?.app else { throw .unknownApp(app) }
            return App(
                id: app, name: previous.name, defaultLanguage: previous.defaultLanguage, fallbackURL: previous.fallbackURL,
                approvals: approvals)
        }
    }

    private func save(_ id: String, by name: String = "ana") throws {
        _ = try store.editDraft(.replacement(try shortcutSet(id)), change, of: app, by: author(at: 1000, name))
    }

    @discardableResult
    private func approve(by name: String) throws -> Int {
        try store.approveDraft(change, of: app, by: author(at: 1000, name)).given
    }

    private func publish(override: String? = nil) throws -> PublishReceipt {
        try store.publishDraft(change, PublishOptions(), override: override.flatMap { OverrideReason($0) }, of: app, by: author())
    }

    private func schedule(at time: Timestamp) throws -> ScheduleEntry {
        try store.scheduleDraft(change, at: time, until: nil, override: nil, of: app, by: author())
    }

    @Test func `nothing is published before it is approved`() throws {
        try save("a")
        #expect(failureCode { _ = try publish() } == .approvalMissing)
        #expect(failureCode { _ = try schedule(at: 4000) } == .approvalMissing)
        #expect(try approve(by: "ben") == 1)
        #expect(try publish().revision == 1)
        #expect(failureCode { try store.publish(try shortcutSet("b"), of: app) } == .approvalMissing)
        #expect(failureCode { try store.publish(nil, of: app) } == .approvalMissing)
        #expect(try store.publish(try shortcutSet("a"), of: app).revision == 1)
    }

    @Test func `nobody approves what is their own, also not what somebody else has saved after them`() throws {
        try save("a")
        try save("b", by: "ben")
        #expect(failureCode { try approve(by: "ana") } == .forbidden)
        #expect(failureCode { try approve(by: "ben") } == .forbidden)
        #expect(try approve(by: "eve") == 1)
    }

    @Test func `who has saved may approve the next draft at that place`() throws {
        try save("a")
        try store.deleteDraft(change, of: app, by: author())
        try save("a", by: "ben")
        #expect(try approve(by: "ana") == 1)
        _ = try publish()
        try save("b", by: "eve")
        #expect(try approve(by: "ben") == 1)
    }

    @Test func `a draft whose editorIDs are not all known is approved by nobody until it is deleted and saved again`() throws {
        try save("a")
        _ = try store.database.write { connection throws(Failure) in try connection.execute("UPDATE drafts SET savers = '[]'", []) }
        for name in ["ana", "ben"] { #expect(failureCode { try approve(by: name) } == .forbidden) }
        try save("b", by: "eve")
        for name in ["ana", "ben", "eve"] { #expect(failureCode { try approve(by: name) } == .forbidden) }
        try store.deleteDraft(change, of: app, by: author())
        try save("b", by: "eve")
        #expect(failureCode { try approve(by: "eve") } == .forbidden)
        #expect(try approve(by: "ben") == 1)
    }

    /// Stores a token, whose name is its id.
    private func make(_ id: String, owner: String? = nil, by creator: TokenID? = nil) throws {
        try store.createToken(
            Token(
                id: TokenID(id), name: id, role: .owner, scope: .all, createdAt: 1, hash: sha256(Array(id.utf8)),
                owner: owner.map { TokenOwner($0) }, createdBy: creator),
            by: author())
    }

    /// Approves with a stored token.
    private func approve(with id: TokenID) throws -> Int {
        let token = try #require(try store.token(id))
        return try store.approveDraft(
            change, of: app, by: Author(token: token.name, tokenID: id, owner: token.owner, address: "a", request: "r", at: 1000)
        ).given
    }

    private func requireRefusal(of token: TokenID, naming other: String) throws {
        let before = try store.count("audit")
        #expect(failureCode { _ = try approve(with: token) } == .forbidden)
        let entry = try #require(try store.audit(PageRequest(), within: .all).items.first)
        #expect((entry.action, entry.author.tokenID, entry.app) == (.approvalRefused, token, app))
        #expect(entry.target == .set(change.version, change.audience, of: app, kind: .draft))
        let refusal = try #require(entry.detail.refusal)
        #expect(refusal.contains(token.description) && refusal.contains(other), "\(refusal)")
        #expect(try store.count("audit") == before + 1)
        #expect(try store.draft(change.version, .default, of: app)?.approvals == [])
    }

    @Test func `who has edited a draft does not approve it with another token`() throws {
        try make("one", owner: "Zo\u{EB}")
        try make("two", owner: "ZOE\u{308}")
        try make("three", owner: "Zoe")
        try save("a", by: "one")
        try requireRefusal(of: "one", naming: "edited this draft")
        try requireRefusal(of: "two", naming: "one")
        // Also after the token was revoked.
        try store.revokeToken("one", by: author())
        try requireRefusal(of: "two", naming: "one")
        #expect(try approve(with: "three") == 1)
    }

    @Test func `a token that an editor created does not approve, nor one that it created`() throws {
        try make("editor", owner: "Ana")
        try make("other", owner: "ana")
        try make("child", by: "editor")
        try make("grandchild", by: "child")
        try make("cousin", by: "other")
        try make("boss")
        try make("stranger", by: "boss")
        try save("a", by: "editor")
        try store.revokeToken("child", by: author())
        try requireRefusal(of: "grandchild", naming: "editor")
        try requireRefusal(of: "cousin", naming: "other")
        #expect(try approve(with: "stranger") == 1)
    }

    @Test func `a token of the configured one approves what that has not edited`() throws {
        try make("ben", by: "admin-token")
        try save("a", by: "admin-token")
        try requireRefusal(of: "ben", naming: "admin-token")
        try store.deleteDraft(change, of: app, by: author())
        try save("a", by: "ana")
        #expect(try approve(with: "ben") == 1)
    }

    @Test func `the token that saved is compared, whatever it is called`() throws {
        try save("a")
        let renamed = Author(token: "ben", tokenID: "ana", address: "", request: "", at: 1000)
        #expect(failureCode { _ = try store.approveDraft(change, of: app, by: renamed) } == .forbidden)
        let unknown = Author(token: "eve", address: "", request: "", at: 1000)
        #expect(failureCode { _ = try store.approveDraft(change, of: app, by: unknown) } == .forbidden)
    }

    @Test(arguments: ["[1]", "[\"ana\", null]", "[{\"id\": \"ana\"}]", "{}", "null", "[", ""])
    func `editorIDs that cannot be read are an error, not nobody`(_ stored: String) throws {
        try save("a")
        _ = try store.database.write { connection throws(Failure) in
            try connection.execute("UPDATE drafts SET savers = ?", [.text(stored)])
        }
        #expect(failureCode { try approve(by: "ben") } == .internalError)
    }

    @Test func `people are counted, not tokens`() throws {
        try save("a")
        for (id, owner) in [("one", "Ben"), ("two", "ben"), ("three", "Eve")] { try make(id, owner: owner) }
        #expect(try approve(with: "one") == 1 && approve(with: "one") == 1 && approve(with: "two") == 1)
        #expect(try approve(with: "three") == 2)
        #expect(try store.count("audit", where: "action = 'draft.approved'") == 2)
        // An approval that an older program counted twice.
        _ = try store.database.write { connection throws(Failure) in
            try connection.execute(
                """
                UPDATE drafts SET approvals =
                '[{"id":"x","token":"ben","at":"2026-01-01T00:00:00Z"},{"id":"y","token":"Ben","at":"2026-01-01T00:00:00Z"}]'
                """, [])
        }
        try require(2)
        #expect(failureCode { _ = try publish() } == .approvalMissing)
    }

    @Test func `saving voids approvals, saving the same keeps them and the tag`() throws {
        try save("a")
        try approve(by: "ben")
        let tag = try store.draft(change.version, .default, of: app)?.tag
        try save("a", by: "eve")
        #expect(try store.draft(change.version, .default, of: app)?.tag == tag)
        #expect(try store.draft(change.version, .default, of: app)?.approvals.map(\.token) == ["ben"])
        #expect(try approve(by: "eve") == 2)
        try save("b", by: "eve")
        #expect(try store.draft(change.version, .default, of: app)?.approvals == [])
    }

    @Test func `an approval is withdrawn by who gave it`() throws {
        try save("a")
        try approve(by: "ben")
        try store.withdrawApproval(change, of: app, by: author(at: 1000, "eve"))
        #expect(try store.draft(change.version, .default, of: app)?.approvals.count == 1)
        try store.withdrawApproval(change, of: app, by: author(at: 1000, "ben"))
        try store.withdrawApproval(change, of: app, by: author(at: 1000, "ben"))
        #expect(try store.draft(change.version, .default, of: app)?.approvals == [])
        #expect(try store.count("audit", where: "action = 'draft.approval-withdrawn'") == 1)
    }

    @Test func `what is scheduled keeps what was approved, a draft that is saved later is another one`() throws {
        try save("a")
        try approve(by: "ben")
        _ = try schedule(at: 4000)
        try save("b")
        guard case .done? = try store.fireNextDue(at: 4000) else {
            Issue.record("it was not published")
            return
        }
        #expect(try store.set(change.version, .default, of: app)?.set == (try shortcutSet("a")))
        #expect(failureCode { _ = try publish() } == .approvalMissing)
    }

    @Test func `a rule that was tightened stops what is due, and it is a draft again with its approvals and who has saved it`() throws {
        try save("a")
        try approve(by: "ben")
        _ = try schedule(at: 4000)
        try require(2)
        guard case .failed(_, _, let failure)? = try store.fireNextDue(at: 4000) else {
            Issue.record("it was published")
            return
        }
        #expect(failure.code == .approvalMissing)
        #expect(try store.count("events", where: "type = 'shortcuts.schedule-failed' AND body LIKE '%\"approval-missing\"%'") == 1)
        #expect(failureCode { try approve(by: "ana") } == .forbidden)
        #expect(try approve(by: "eve") == 2 && publish().revision == 1)
    }

    @Test func `lowering the rule frees what waits, and publishes nothing by itself`() throws {
        try save("a")
        try require(0)
        #expect(try store.count("revisions") == 0)
        #expect(try publish().revision == 1)
    }

    @Test func `the way back needs no approvals`() throws {
        try require(0)
        try store.publish(try shortcutSet("a"), of: app)
        try store.publish(try shortcutSet("b"), of: app, until: 4000)
        _ = try store.scheduleRestore(of: 2, at: 5000, expecting: .none, message: nil, of: app, by: author())
        try require(5)
        while try store.fireNextDue(at: 5000) != nil {}
        #expect(try store.revisions(of: app, PageRequest()).items.map { $0.set?.items.first?.id.description } == ["b", "a", "b", "a"])
        let restore = SetChange(
            version: change.version, audience: .default, action: .publish(try shortcutSet("a")), writeCondition: .none, consent: .notNeeded)
        #expect(try store.publish(restore, of: app, by: author()).revision == 5)
    }

    @Test func `an owner's reason is in the audit and in an event`() throws {
        try save("a")
        _ = try publish(override: "The old menu crashes")
        #expect(try store.count("events", where: "type = 'shortcuts.override' AND body LIKE '%\"revision\":1,%crashes%'") == 1)
        let entry = try #require(try store.audit(PageRequest(), within: .all).items.first)
        #expect(entry.action == .setPublished && entry.detail.reason?.description == "The old menu crashes")
        try require(0)
        try save("b")
        _ = try publish(override: "Nothing is missing")
        #expect(try store.count("events", where: "type = 'shortcuts.override' AND body NOT LIKE '%The rule%'") == 1)
    }

    @Test func `what an owner has scheduled with a reason is published`() throws {
        try save("a")
        _ = try store.scheduleDraft(
            change, at: 4000, until: nil, override: OverrideReason("It has to be"), of: app, by: author())
        guard case .done? = try store.fireNextDue(at: 4000) else {
            Issue.record("it was not published")
            return
        }
        #expect(try store.count("events", where: "type = 'shortcuts.override'") == 1)
        #expect(try store.count("audit", where: "detail LIKE '%It has to be%'") == 2)
    }
}
