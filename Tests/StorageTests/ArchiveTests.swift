import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ArchiveTests {
    private let bench: Workbench
    private var store: Store { bench.store }

    init() throws { bench = try Workbench() }

    /// An app with a replaced revision, a deletion, a guest timeline, a draft, schedule entries of each kind, and a release.
    private func fill(_ id: String) throws -> AppID {
        let app = try store.makeApp(id)
        try store.publish(try shortcutSet("a"), of: app)
        try store.publish(try shortcutSet("b", retired: ["a"]), of: app)
        try store.publish(try shortcutSet("c"), "2.0", of: app)
        try store.publish(nil, "2.0", of: app)
        try store.publish(try shortcutSet("g"), of: app, audience: try #require(Audience("guest")))
        _ = try store.putRelease(try release("1.0+7", statics: 1), keepsAssets: false, of: app, by: author())
        let change = DraftChange(version: try version("3.0"), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.replacement(try shortcutSet("d")), change, of: app, by: author())
        _ = try store.approveDraft(change, of: app, by: author(at: 1500, "ben"))
        _ = try store.scheduleDraft(
            change, at: 1_900_000_000_000, until: 1_900_000_009_000, override: nil, of: app, by: author(at: 2000, "ben"))
        _ = try store.editDraft(.replacement(try shortcutSet("e")), change, of: app, by: author(at: 2500, "eve"))
        _ = try store.approveDraft(change, of: app, by: author(at: 2600, "ben"))
        try store.publish(try shortcutSet("h", retired: ["a"]), of: app, until: 1_900_000_005_000)
        try store.publish(try shortcutSet("i"), "5.0", of: app, until: 1_900_000_005_000)
        _ = try store.scheduleRestore(of: 1, at: 1_900_000_002_000, expecting: .none, message: nil, of: app, by: author())
        return app
    }

    private func written(_ store: Store, _ selection: ArchiveSelection = ArchiveSelection()) throws -> String {
        String(decoding: try store.exported(selection), as: UTF8.self)
    }

    /// The importer is the author of schedule entries.
    private func written(
        _ store: Store, _ selection: ArchiveSelection = ArchiveSelection(), importedBy name: String
    ) throws -> String {
        try written(store, selection).replacing(/"scheduledBy": "[a-z]*"/, with: #""scheduledBy": "\#(name)""#)
    }

    private func brought(_ text: String) throws -> Archive {
        try ArchiveDocument(Array(text.utf8)).checked()
    }

    @Test func `an export that is imported is exported again to the last byte`() throws {
        let app = try fill("com.example.notes")
        let removed = try fill("com.example.gone")
        try store.deleteApp(removed, by: author())
        let first = try written(store)
        let other = try Workbench()
        try other.store.importArchive(try brought(first), replacing: false, dryRun: false, by: author())
        #expect(try written(other.store) == written(store, importedBy: "ana"))
        let snapshots = (try #require(try store.snapshot(of: app)), try #require(try other.store.snapshot(of: app)))
        #expect(snapshots.0.nextPublish == snapshots.1.nextPublish && snapshots.1.timelines.count == 2)
        #expect(snapshots.1.timelines[.default]?.sets.map(\.revision) == [6, 7])
    }

    @Test func `numbers go on and ids keep what is known of them`() throws {
        let app = try fill("com.example.notes")
        let removed = try fill("com.example.gone")
        try store.deleteApp(removed, by: author())
        let other = try Workbench()
        try other.store.importArchive(try brought(try written(store)), replacing: false, dryRun: false, by: author())
        #expect(try other.store.publish(try shortcutSet("e"), of: app).revision == 8)
        let known = try other.store.publish(try shortcutSet("f", retired: ["c"]), "4.0", of: app).warnings.map(\.code)
        #expect(!known.contains("unknown-id"))
        try other.store.makeApp("com.example.gone")
        #expect(try other.store.publish(try shortcutSet("e"), of: removed).revision == 8)
    }

    @Test func `an entry of the schedule keeps its time, and is the importer's`() throws {
        let app = try fill("com.example.notes")
        let other = try Workbench()
        try other.store.importArchive(try brought(try written(store)), replacing: false, dryRun: false, by: author(at: 5000, "carl"))
        let due = try other.store.fireNextDue(at: 1_900_000_000_000)
        guard case .done(app, let entry, revision: 8)? = due, case .publish(let draft, _) = entry.action else {
            Issue.record("\(String(describing: due))")
            return
        }
        #expect(draft.savedBy == "ana" && draft.editorIDs == ["carl"] && draft.approvals.isEmpty)
        #expect(try other.store.revision(8, of: app)?.by == "carl")
    }

    @Test func `every revision says who imported it, and drafts have nobody's approval`() throws {
        let app = try fill("com.example.notes")
        let other = try Workbench()
        let text = try written(store)
        try other.store.importArchive(try brought(text), replacing: false, dryRun: false, by: author(at: 5000, "carl"))
        let revisions = try other.store.revisions(of: app, PageRequest(limit: 200)).items
        #expect(!revisions.isEmpty && revisions.allSatisfy { ($0.by, $0.importedBy, $0.importedAt) == ("ana", "carl", 5000) })
        try other.store.publish(try shortcutSet("z"), "9.0", of: app)
        let own = try #require(try other.store.revisions(of: app, PageRequest(limit: 1)).items.first)
        #expect(own.importedBy == nil && own.importedAt == nil)
        // The claims of an older export are not trusted.
        let claims = #""savers": ["eve"], "approvals": [{"id": "b", "token": "ben", "at": "2026-01-01T00:00:00Z"}], "savedBy""#
        let claiming = try Workbench().store
        try claiming.importArchive(
            try brought(text.replacing(#""savedBy""#, with: claims)), replacing: false, dryRun: false, by: author(at: 5000, "carl"))
        for store in [other.store, claiming] {
            let draft = try #require(try store.draft(try version("3.0"), .default, of: app))
            #expect(draft.editorIDs == ["carl"] && draft.approvals.isEmpty)
            let change = DraftChange(version: draft.version, audience: .default, writeCondition: .none)
            #expect(failureCode { _ = try store.approveDraft(change, of: app, by: author(at: 6000, "carl")) } == .forbidden)
            #expect(try store.approveDraft(change, of: app, by: author(at: 6000, "eve")).given == 1)
        }
    }

    @Test func `an import does not lower approvals without a reason`() throws {
        let app = try store.makeApp()
        let text = try written(store)
        _ = try store.putApp(app, by: author()) { previous throws(Failure) in
            guard let previous = previous?.app else { throw .unknownApp(app) }
            return App(
                id: app, name: previous.name, defaultLanguage: previous.defaultLanguage, fallbackURL: previous.fallbackURL, approvals: 2)
        }
        let archive = try brought(text)
        #expect(failureCode { try store.importArchive(archive, replacing: true, dryRun: false, by: author()) } == .approvalMissing)
        #expect(try store.app(app)?.approvals == 2)
        try store.importArchive(archive, replacing: true, dryRun: false, override: OverrideReason("Test data"), by: author())
        #expect(try store.app(app)?.approvals == 0)
        #expect(try store.count("events", where: "type = 'shortcuts.override' AND body LIKE '%Test data%'") == 1)
        #expect(try store.audit(PageRequest(), within: .all).items.first?.detail.reason?.description == "Test data")
    }

    @Test func `what was imported fires as it would have where it comes from`() throws {
        let app = try fill("com.example.notes")
        let other = try Workbench()
        try other.store.importArchive(try brought(try written(store)), replacing: false, dryRun: false, by: author())
        for store in [store, other.store] { while try store.fireNextDue(at: 1_900_000_009_000) != nil {} }
        let numbers = { (store: Store) in
            try store.revisions(of: app, PageRequest(limit: 200)).items.map { "\($0.number) \($0.kind) \($0.version)" }
        }
        #expect(try numbers(store) == numbers(other.store))
        #expect(try other.store.count("events", where: "type = 'shortcuts.schedule-failed'") == 1)
    }

    @Test func `an import that replaces renumbers what ways back expect`() throws {
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), of: app)
        try store.publish(try shortcutSet("b"), of: app, until: 4000)
        let text = try written(store)
        try store.publish(try shortcutSet("c"), of: app)
        try store.importArchive(try brought(text), replacing: true, dryRun: false, by: author())
        #expect(try store.set(try version("1.0"), .default, of: app)?.revision == 4)
        guard case .done? = try store.fireNextDue(at: 4000) else {
            Issue.record("the way back has not fired")
            return
        }
        #expect(try store.set(try version("1.0"), .default, of: app)?.set == (try shortcutSet("a")))
    }

    @Test func `one app that is there, or was, refuses all of it`() throws {
        _ = try fill("com.example.notes")
        let text = try written(store)
        let other = try Workbench()
        try other.store.makeApp("com.example.other")
        try other.store.makeApp("com.example.notes")
        for isDryRun in [true, false] {
            #expect(
                failureCode { try other.store.importArchive(try brought(text), replacing: false, dryRun: isDryRun, by: author()) }
                    == .conflict)
        }
        #expect(try other.store.count("revisions") == 0 && other.store.count("audit") == 2)
        try other.store.publish(try shortcutSet("x"), of: try appID())
        try other.store.deleteApp(try appID(), by: author())
        #expect(
            failureCode { try other.store.importArchive(try brought(text), replacing: false, dryRun: false, by: author()) } == .conflict)
    }

    @Test func `a dry run writes nothing, an import one audit entry and its events`() throws {
        _ = try fill("com.example.notes")
        let archive = try brought(try written(store))
        let other = try Workbench()
        try other.store.importArchive(archive, replacing: false, dryRun: true, by: author())
        #expect(try other.store.count("apps") == 0 && other.store.count("audit") == 0)
        try other.store.createEndpoint(endpoint("e"), by: author())
        try other.store.importArchive(archive, replacing: false, dryRun: false, by: author())
        #expect(try other.store.count("audit", where: "action = 'store.imported'") == 1 && other.store.count("audit") == 2)
        #expect(try other.store.count("events") == 5)
        #expect(try other.store.states(of: "e") == Array(repeating: "pending", count: 5))
    }

    @Test func `a scope sees its apps only`() throws {
        let app = try fill("com.example.notes")
        _ = try fill("com.example.other")
        var selection = ArchiveSelection()
        selection.scope = .apps([app])
        #expect(try brought(try written(store, selection)).ids == [app])
    }

    @Test func `some apps are exported, those that were deleted too`() throws {
        let app = try fill("com.example.notes")
        let removed = try fill("com.example.gone")
        _ = try fill("com.example.other")
        try store.deleteApp(removed, by: author())
        var selection = ArchiveSelection()
        selection.apps = [app, removed]
        let archive = try brought(try written(store, selection))
        #expect(archive.apps.map(\.app.id) == [app] && archive.deletedApps.map(\.app) == [removed])
        selection.apps.insert(try appID("com.example.nowhere"))
        #expect(failureCode { _ = try written(store, selection) } == .unknownApp)
    }

    @Test func `without its history an app serves the same, and its numbers go on`() throws {
        let app = try fill("com.example.notes")
        let removed = try fill("com.example.gone")
        try store.deleteApp(removed, by: author())
        var selection = ArchiveSelection()
        selection.leavesHistoryOut = true
        let archive = try brought(try written(store, selection))
        let whole = try brought(try written(store))
        // 5 to 7 are published, and the schedule restores 1 and 2.
        #expect(archive.apps.map { $0.history.revisions.map(\.number) } == [[1, 2, 5, 6, 7]])
        #expect(archive.deletedApps.map(\.revisions.isEmpty) == [true] && whole.deletedApps.map(\.revisions.isEmpty) == [false])
        #expect(archive.apps.map(\.history.lastRevision) == whole.apps.map(\.history.lastRevision))
        let other = try Workbench().store
        try other.importArchive(archive, replacing: false, dryRun: false, by: author())
        let snapshots = (try #require(try store.snapshot(of: app)), try #require(try other.snapshot(of: app)))
        #expect(snapshots.0.timelines[.default]?.sets.map(\.revision) == snapshots.1.timelines[.default]?.sets.map(\.revision))
        #expect(snapshots.0.nextPublish == snapshots.1.nextPublish && snapshots.0.lastRevision == snapshots.1.lastRevision)
        #expect(try written(other, selection) == written(store, selection, importedBy: "ana"))
    }
}
