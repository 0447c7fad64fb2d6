import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Applies with `mode=merge`. The tests write a set as its items, each as `id` or `id=title`.
@Suite(.eachEngine, .namingEngine) struct ApplyMergeTests {
    private let bench: Workbench
    private let app: AppID
    private var store: Store { bench.store }

    init() throws {
        bench = try Workbench()
        app = try bench.store.makeApp()
    }

    private func set(_ text: String) throws -> ShortcutSet {
        let items = text.split(separator: " ").map { item -> JSON in
            let parts = item.split(separator: "=").map(String.init)
            return ["id": .string(parts[0]), "type": "t", "title": ["en": .string(parts.last ?? "")]]
        }
        return try ShortcutSetDocument(["items": .array(items)], defaultLanguage: try #require(LanguageTag("en"))).checked()
    }

    private func publish(_ text: String, _ version: String = "1.0", until: Timestamp? = nil, by token: String = "ana") throws {
        let change = SetChange(
            version: try StorageTests.version(version), audience: .default, action: .publish(try set(text)), writeCondition: .none,
            consent: .none(override: nil), until: until)
        _ = try store.publish(change, of: app, by: author(at: 2000, token))
    }

    /// - Parameter more: members of the app's tree, or of the document.
    @discardableResult
    private func apply(
        _ sets: KeyValuePairs<String, String>, dryRun: Bool = false, prunes: Bool = false, recreates: Bool = false,
        onlyDrafts: Bool = false, use winners: JSON? = nil, base: JSON? = nil, app document: JSON? = nil
    ) throws -> ApplyPlan {
        let written = try sets.map { JSON.Member(Text($0.key), try set($0.value).json) }
        let name = Text(app.description)
        let request: JSON = [
            "apps": .object([JSON.Member(name, ["app": document, "sets": .object(written)])]),
            "use": winners.map { .object([JSON.Member(name, $0)]) }, "base": base.map { .object([JSON.Member(name, $0)]) },
        ]
        let stored = try store.app(app).map { [app: $0] } ?? [:]
        var options = ApplyOptions(prunes: prunes, mode: .merge, recreates: recreates)
        options.onlySavesDrafts = onlyDrafts
        return try store.apply(
            try ApplyDocument(request).checked(among: stored, options), dryRun: dryRun, by: author(at: 3000, "ci"))
    }

    private func live(_ text: String = "1.0") throws -> String? {
        try store.set(try version(text), .default, of: app)?.set.items.map { item in
            let title = item.titles.rows.first?.text.string ?? ""
            return item.id.description == title ? title : "\(item.id)=\(title)"
        }.joined(separator: " ")
    }

    private func changes(_ plan: ApplyPlan) -> [String] { plan.apps[0].sets.map { "\($0.revision.version)" } }
    private func drift(_ plan: ApplyPlan) -> [String] { plan.apps[0].drift.map { "\($0.name)" } }

    @Test func `an edit in the console stays, and is listed until git has it`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        try publish("a=Console")
        let plan = try apply(["1.0": "a", "2.0": "b=New"], dryRun: true)
        #expect(changes(plan) == ["2.0.0"] && drift(plan) == ["1.0.0"])
        #expect(plan.apps[0].drift[0].live?.by == "ana")
        try apply(["1.0": "a", "2.0": "b=New"])
        #expect(try live() == "a=Console" && live("2.0") == "b=New")
        let again = try apply(["1.0": "a", "2.0": "b=New"], dryRun: true)
        #expect(again.isEmpty && drift(again) == ["1.0.0"])
        let pulled = try apply(["1.0": "a=Console", "2.0": "b=New"])
        #expect(pulled.isEmpty && drift(pulled).isEmpty)
        try publish("a=Later")
        #expect(drift(try apply(["1.0": "a=Console", "2.0": "b=New"], dryRun: true)) == ["1.0.0"])
    }

    @Test func `changes of both sides are merged`() throws {
        try apply(["1.0": "a b"])
        try publish("a=Console b")
        let plan = try apply(["1.0": "a b=Git"])
        #expect(try live() == "a=Console b=Git")
        #expect(String(decoding: plan.json(isDryRun: false).encoded, as: UTF8.self).contains(#""merged":true"#))
        let again = try apply(["1.0": "a b=Git"], dryRun: true)
        #expect(again.isEmpty && drift(again) == ["1.0.0"])
    }

    @Test func `a conflict stops the whole app until somebody decides`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        try publish("a=Console")
        let plan = try apply(["1.0": "a=Git", "2.0": "b=Git"], dryRun: true)
        #expect(plan.apps[0].conflicts.map { $0.members.map(\.key) } == [["a title.en"]])
        #expect(failureCode { try apply(["1.0": "a=Git", "2.0": "b=Git"]) } == .preconditionFailed)
        #expect(try live() == "a=Console" && live("2.0") == "b")
        try apply(["1.0": "a=Git", "2.0": "b=Git"], use: ["1.0": "live"])
        #expect(try live() == "a=Console" && live("2.0") == "b=Git")
        #expect(try apply(["1.0": "a=Git", "2.0": "b=Git"], dryRun: true).isEmpty)
        try apply(["1.0": "a=Git2"], use: ["1.0": "git"])
        #expect(try live() == "a=Git2")
    }

    @Test func `a set that one side deleted is a conflict if the other changed it`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        _ = try store.publish(
            SetChange(
                version: try version("2.0"), audience: .default, action: .delete, writeCondition: .none, consent: .none(override: nil)),
            of: app, by: author(at: 2000, "ana"))
        let plan = try apply(["1.0": "a", "2.0": "b"], dryRun: true)
        #expect(plan.isEmpty && drift(plan) == ["2.0.0"] && plan.apps[0].drift[0].deletion?.by == "ana")
        #expect(failureCode { try apply(["1.0": "a", "2.0": "b=Git"]) } == .preconditionFailed)
        try apply(["1.0": "a", "2.0": "b=Git"], use: ["2.0": "git"])
        #expect(try live("2.0") == "b=Git")
        try publish("a=Console")
        #expect(failureCode { try apply(["2.0": "b=Git"], prunes: true) } == .preconditionFailed)
        try apply(["2.0": "b=Git"], prunes: true, use: ["1.0": "git"])
        #expect(try live() == nil)
    }

    @Test func `prune deletes only what git had and nobody changed`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        try publish("c", "3.0")
        #expect(try apply(["1.0": "a"]).isEmpty)
        let plan = try apply(["1.0": "a"], prunes: true)
        #expect(changes(plan) == ["2.0.0"] && drift(plan) == ["3.0.0"])
        #expect(try live("2.0") == nil && live("3.0") == "c")
    }

    @Test func `a change of another menu leaves a running campaign alone`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        try publish("a=Sale", until: 9000)
        let plan = try apply(["1.0": "a", "2.0": "b=New"], dryRun: true)
        #expect(plan.apps[0].drift.map(\.revertsAt) == [9000])
        try apply(["1.0": "a", "2.0": "b=New"])
        #expect(try live() == "a=Sale")
        while try store.fireNextDue(at: 9000) != nil {}
        #expect(try live() == "a")
    }

    @Test func `a change of the campaign's menu is merged, and outlives the campaign`() throws {
        try apply(["1.0": "a b"])
        try publish("a=Sale b", until: 9000)
        try apply(["1.0": "a b=Git"])
        #expect(try live() == "a=Sale b=Git")
        while try store.fireNextDue(at: 9000) != nil {}
        #expect(try live() == "a b=Git")
        #expect(try store.count("events", where: "type = 'shortcuts.schedule-failed'") == 0)
        let plan = try apply(["1.0": "a b=Git"], dryRun: true)
        #expect(plan.isEmpty && drift(plan).isEmpty)
    }

    @Test func `an app that only an older program applied to starts with its newest apply`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        try store.execute("DELETE FROM applied_documents")
        try publish("a=Console")
        try publish("b=Console", "2.0")
        let plan = try apply(["1.0": "a", "2.0": "b=Git"], dryRun: true)
        #expect(drift(plan) == ["1.0.0"] && plan.apps[0].conflicts.count == 1)
        // An app that was never applied starts with what is published.
        try store.execute("DELETE FROM audit")
        let first = try apply(["1.0": "a", "2.0": "b=Git"], dryRun: true)
        #expect(changes(first) == ["1.0.0", "2.0.0"] && first.apps[0].conflicts.isEmpty)
    }

    @Test func `what counts as applied before is a document that a tree can have`() throws {
        try publish("a")
        try apply(["1.0": "a b"])
        let applied = try store.database.read { connection throws(Failure) in try connection.appliedDocuments(of: [app])[app] }
        let document = try #require(applied?.app)
        #expect(document.members.map(\.name.string).sorted() == ["approvals", "defaultLanguage", "fallbackURL", "languages", "name"])
    }

    @Test func `a deleted app is created again only if that is wanted`() throws {
        try apply(["1.0": "a"])
        try store.deleteApp(app, by: author(at: 2500, "release-bot"))
        let english: JSON = ["defaultLanguage": "en"]
        let failure = #expect(throws: Failure.self) { try apply(["1.0": "a"], app: english) }
        #expect(failure?.code == .conflict && failure?.detail.contains(#""release-bot""#) == true)
        try apply(["1.0": "a"], recreates: true, app: english)
        #expect(try live() == "a")
    }

    @Test func `the app's document is merged by member`() throws {
        try apply(["1.0": "a"], app: ["defaultLanguage": "en", "name": "Notes"])
        let english = try #require(LanguageTag("en"))
        _ = try store.putApp(app, override: nil, by: author()) { _ in
            App(id: app, name: "Console", defaultLanguage: english, fallbackURL: nil, approvals: 0)
        }
        try apply(["1.0": "a"], app: ["defaultLanguage": "en", "name": "Notes", "fallbackURL": "notes://home"])
        let merged = try #require(try store.app(app))
        #expect(merged.name == "Console" && merged.fallbackURL?.description == "notes://home")
        #expect(failureCode { try apply([:], app: ["defaultLanguage": "en", "name": "Git"]) } == .preconditionFailed)
        try apply([:], use: ["app": "git"], app: ["defaultLanguage": "en", "name": "Git"])
        #expect(try store.app(app)?.name == "Git")
    }

    @Test func `a draft that an apply saved counts as sent once it is published`() throws {
        try apply(["1.0": "a"])
        let english = try #require(LanguageTag("en"))
        _ = try store.putApp(app, override: nil, by: author()) { _ in
            App(id: app, name: nil, defaultLanguage: english, fallbackURL: nil, approvals: 1)
        }
        #expect(try apply(["1.0": "a=Git"]).savesDrafts)
        #expect(try apply(["1.0": "a=Git"], dryRun: true).isEmpty)
        let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        let urgent = OverrideReason("It is urgent.")
        let entry = try store.scheduleDraft(change, at: 9000, until: nil, override: urgent, of: app, by: author())
        #expect(try apply(["1.0": "a=Git"], dryRun: true).isEmpty)
        try store.cancel(entry.id, of: app, by: author())
        try apply(["1.0": "a=Git"])
        _ = try store.publishDraft(change, PublishOptions(), override: OverrideReason("It is urgent."), of: app, by: author())
        try publishUnapproved("a=Console")
        let plan = try apply(["1.0": "a=Git"], dryRun: true)
        #expect(plan.isEmpty && drift(plan) == ["1.0.0"])
    }

    private var drafts: [String] { get throws { try store.drafts(of: app).map { "\($0.version) \($0.set.items.map(\.id))" } } }

    private func edit(_ text: String, by token: String) throws {
        let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.replacement(try set(text)), change, of: app, by: author(at: 2500, token))
    }

    @Test func `an apply of drafts publishes nothing, and git is not recorded`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        let plan = try apply(["1.0": "a c", "2.0": "b"], onlyDrafts: true, app: ["defaultLanguage": "en", "name": "New"])
        #expect(plan.savesDrafts && changes(plan) == ["1.0.0"] && !plan.apps[0].changesApp)
        #expect(try live() == "a" && drafts == ["1.0.0 [a, c]"] && store.app(app)?.name?.string != "New")
        // Another branch, and the main branch, still compare with what was applied.
        #expect(try changes(apply(["1.0": "a c", "2.0": "b"], dryRun: true)) == ["1.0.0"])
        #expect(try apply(["1.0": "a c", "2.0": "b"], dryRun: true, onlyDrafts: true).isEmpty)
        let missing = try #require(AppID("com.example.missing"))
        let document: JSON = ["apps": .object([JSON.Member(Text(missing.description), ["app": ["defaultLanguage": "en"]])])]
        var options = ApplyOptions(mode: .merge)
        options.onlySavesDrafts = true
        let request = try ApplyDocument(document).checked(among: [:], options)
        #expect(failureCode { _ = try store.apply(request, dryRun: false, by: author()) } == .unknownApp)
    }

    @Test func `reverting in git withdraws a draft that nobody else edited`() throws {
        try apply(["1.0": "a"])
        try apply(["1.0": "a b"], onlyDrafts: true)
        #expect(try apply(["1.0": "a b"], dryRun: true, onlyDrafts: true).isEmpty)
        // The main branch does not withdraw the draft of another branch.
        #expect(try apply(["1.0": "a"]).isEmpty && drafts == ["1.0.0 [a, b]"])
        let plan = try apply(["1.0": "a"], dryRun: true, onlyDrafts: true)
        #expect(!plan.isEmpty && plan.apps[0].withdrawn.map(\.savedBy) == ["ci"])
        #expect(String(decoding: plan.json(isDryRun: true).encoded, as: UTF8.self).contains(#""withdrawn":[{"version":"1.0.0","#))
        try apply(["1.0": "a"], onlyDrafts: true)
        #expect(try drafts == [] && live() == "a" && apply(["1.0": "a"], dryRun: true, onlyDrafts: true).isEmpty)
        // A new menu.
        try apply(["1.0": "a", "2.0": "b"], onlyDrafts: true)
        try apply(["1.0": "a"], onlyDrafts: true)
        #expect(try drafts == [])
        // Somebody edited the draft.
        try apply(["1.0": "a b"], onlyDrafts: true)
        try edit("a b c", by: "ana")
        #expect(try apply(["1.0": "a"], onlyDrafts: true).isEmpty && drafts == ["1.0.0 [a, b, c]"])
        try apply(["1.0": "a b d"], onlyDrafts: true)
        #expect(try apply(["1.0": "a"], onlyDrafts: true).isEmpty && drafts == ["1.0.0 [a, b, d]"])
    }

    @Test func `a published draft of a branch does not count as sent`() throws {
        try apply(["1.0": "a=Help"])
        try apply(["1.0": "a=Support"], onlyDrafts: true)
        let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        _ = try store.publishDraft(change, PublishOptions(), override: nil, of: app, by: author())
        let plan = try apply(["1.0": "a=Help"], dryRun: true)
        #expect(try plan.isEmpty && drift(plan) == ["1.0.0"] && live() == "a=Support")
    }

    @Test func `a plan names the drafts and the schedule of the menus that it changes`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        try edit("a x", by: "ana")
        let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
        _ = try store.scheduleDraft(change, at: 9000, until: nil, override: nil, of: app, by: author(at: 2600, "ana"))
        try edit("a y", by: "eva")
        let plan = try apply(["1.0": "a z", "2.0": "b"], dryRun: true)
        let json = String(decoding: plan.json(isDryRun: true).encoded, as: UTF8.self)
        #expect(json.contains(#""draft":{"by":"eva","at":"1970-01-01T00:00:02.500Z"}"#), "\(json)")
        #expect(json.contains(#""scheduled":[{"kind":"publish","at":"1970-01-01T00:00:09.000Z","by":"ana"}]"#), "\(json)")
    }

    private func publishUnapproved(_ text: String) throws {
        let change = SetChange(
            version: try version("1.0"), audience: .default, action: .publish(try set(text)), writeCondition: .none,
            consent: .none(override: OverrideReason("It is urgent.")))
        _ = try store.publish(change, of: app, by: author(at: 2000, "ana"))
    }

    @Test func `a plan is void only if a set that it changes was published since`() throws {
        try apply(["1.0": "a", "2.0": "b"])
        try publish("a=Console")
        try apply(["1.0": "a", "2.0": "b=Git"], base: ["2.0": 2])
        #expect(failureCode { try apply(["1.0": "a", "2.0": "b=Git2"], base: ["2.0": 2]) } == .preconditionFailed)
        #expect(failureCode { try apply(["1.0": "a", "2.0": "b=Git2"], base: 1) } == .preconditionFailed)
    }

    @Test func `an overwriting apply is remembered, too`() throws {
        let document: JSON = ["apps": .object([JSON.Member(Text(app.description), ["sets": ["1.0": try set("a").json]])])]
        let stored = try #require(try store.app(app))
        _ = try store.apply(try ApplyDocument(document).checked(among: [app: stored], ApplyOptions()), dryRun: false, by: author())
        try publish("a=Console")
        #expect(drift(try apply(["1.0": "a"], dryRun: true)) == ["1.0.0"])
    }
}
