import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Applies to apps that require approvals, and the rows that an apply writes.
@Suite(.eachEngine, .namingEngine) struct ApplyTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), "1.0", of: app)
    }

    private func requireApprovals(_ count: Int64) throws {
        let english = try #require(LanguageTag("en"))
        _ = try store.putApp(app, override: OverrideReason("The rule"), by: author()) { previous throws(Failure) in
            App(
                id: app, name: previous?.app.name, defaultLanguage: previous?.app.defaultLanguage ?? english, fallbackURL: nil,
                approvals: count
            )
        }
    }

    @discardableResult
    private func apply(_ sets: KeyValuePairs<String, ShortcutSet>, _ options: ApplyOptions = ApplyOptions()) throws -> ApplyPlan {
        let written = sets.map { JSON.Member(Text($0.key), $0.value.json) }
        let document: JSON = ["apps": .object([JSON.Member(Text(app.description), ["sets": .object(written)])])]
        let stored = try #require(try store.app(app))
        return try store.apply(
            try ApplyDocument(document).checked(among: [app: stored], options), dryRun: false, by: author(at: 2000, "ci"))
    }

    private func applied() throws -> [AuditEntry] {
        try store.audit(PageRequest(), within: .all).items.filter { $0.action == .storeApplied }
    }

    @Test func `what is applied is one write: revisions, events, one audit entry, what is served`() throws {
        let plan = try apply(["1.0": try shortcutSet("b"), "2.0": try shortcutSet("c")])
        #expect(plan.apps.map(\.revision) == [3])
        #expect(try store.revisions(of: app, PageRequest()).items.map(\.by) == ["ci", "ci", "ana"])
        #expect(try store.count("events", where: "type = 'shortcuts.published'") == 3)
        let entry = try #require(try applied().first)
        #expect(entry.app == app && entry.detail.changes.count == 2)
        #expect(bench.heard.changed.withLock { $0.last } == app)
        #expect(try store.snapshot(of: app)?.lastRevision == 3)
        #expect(try store.set(try version("2.0"), .default, of: app)?.set == (try shortcutSet("c")))
    }

    @Test func `an apply of nothing writes nothing`() throws {
        let before = bench.heard.changed.withLock(\.count)
        #expect(try apply(["1": try shortcutSet("a")]).isEmpty)
        #expect(try applied().isEmpty && bench.heard.changed.withLock(\.count) == before)
    }

    @Test func `sets wait as drafts for approvals, which the same tree does not void`() throws {
        try requireApprovals(1)
        // Neither is valid together with the published sets alone.
        let (first, second) = (try shortcutSet("b", retired: ["a"]), try shortcutSet("c"))
        #expect(try apply(["1.0": first, "2.0": second]).savesDrafts)
        #expect(try store.revisions(of: app, PageRequest()).items.count == 1)
        let draft = try #require(try store.draft(try version("2.0"), .default, of: app))
        #expect(draft.set == second && draft.savedBy == "ci")
        #expect(try applied().count == 1)
        try apply(["1.0": first, "2.0": second])
        #expect(try store.draft(try version("2.0"), .default, of: app)?.tag == draft.tag)
        #expect(try applied().count == 1)
        try apply(["1.0": first, "2.0": try shortcutSet("d")])
        #expect(try store.draft(try version("2.0"), .default, of: app)?.tag != draft.tag)
    }

    @Test func `a deletion cannot wait: all of it is refused, or done by an owner with a reason`() throws {
        try requireApprovals(2)
        #expect(failureCode { try apply(["2.0": try shortcutSet("c")], ApplyOptions(prunes: true)) } == .approvalMissing)
        #expect(try store.drafts(of: app, PageRequest()).items.isEmpty)
        let reason = try #require(OverrideReason("The old menu crashes"))
        try apply(["2.0": try shortcutSet("c")], ApplyOptions(prunes: true, override: reason))
        #expect(try store.set(try version("1.0"), .default, of: app) == nil)
        #expect(try store.set(try version("2.0"), .default, of: app)?.revision == 3)
        #expect(try applied().map(\.detail.reason) == [reason])
        #expect(try store.count("events", where: "type = 'shortcuts.override' AND body LIKE '%old menu crashes%'") == 1)
        // An unnecessary reason is not announced.
        try requireApprovals(0)
        try apply(["2.0": try shortcutSet("d")], ApplyOptions(override: reason))
        #expect(try store.count("events", where: "type = 'shortcuts.override' AND body NOT LIKE '%The rule%'") == 1)
        #expect(try applied().map(\.detail.reason) == [nil, reason])
    }
}
