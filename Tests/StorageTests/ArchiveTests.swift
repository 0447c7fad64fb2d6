import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct ArchiveTests {
    private let bench: Workbench
    private var store: Store { bench.store }

    init() throws { bench = try Workbench() }

    /// An app with a past: a revision that was replaced, a deletion, a guest's timeline, a scheduled draft, a release.
    private func fill(_ id: String) throws -> AppID {
        let app = try store.makeApp(id)
        try store.publish(try shortcutSet("a"), of: app)
        try store.publish(try shortcutSet("b", retired: ["a"]), of: app)
        try store.publish(try shortcutSet("c"), "2.0", of: app)
        try store.publish(nil, "2.0", of: app)
        try store.publish(try shortcutSet("g"), of: app, audience: try #require(Audience("guest")))
        _ = try store.putRelease(try release("1.0+7", statics: 1), keepsAssets: false, of: app, by: author())
        let change = DraftChange(version: try version("3.0"), audience: .default, writeCondition: .none)
        _ = try store.saveDraft(try shortcutSet("d"), change, maySchedule: true, of: app, by: author())
        _ = try store.scheduleDraft(change, at: 1_900_000_000_000, of: app, by: author(at: 2000, "ben"))
        return app
    }

    private func written(_ store: Store, _ scope: Scope = .all) throws -> String {
        String(decoding: try store.archive(within: scope).json.prettyPrinted, as: UTF8.self)
    }

    private func brought(_ text: String) throws -> Archive {
        try ArchiveDocument(try JSON(document: Array(text.utf8))).checked()
    }

    @Test func `an export that is imported is exported again to the last byte`() throws {
        let app = try fill("com.example.notes")
        let gone = try fill("com.example.gone")
        try store.deleteApp(gone, by: author())
        let first = try written(store)
        let other = try Workbench()
        try other.store.importArchive(try brought(first), replacing: false, dryRun: false, by: author())
        #expect(try written(other.store) == first)
        let snapshots = (try #require(try store.snapshot(of: app)), try #require(try other.store.snapshot(of: app)))
        #expect(snapshots.0.nextPublish == snapshots.1.nextPublish && snapshots.1.timelines.count == 2)
        #expect(snapshots.1.timelines[.default]?.sets.map(\.revision) == [2])
    }

    @Test func `numbers go on and ids keep what is known of them`() throws {
        let app = try fill("com.example.notes")
        let gone = try fill("com.example.gone")
        try store.deleteApp(gone, by: author())
        let other = try Workbench()
        try other.store.importArchive(try brought(try written(store)), replacing: false, dryRun: false, by: author())
        #expect(try other.store.publish(try shortcutSet("e"), of: app).revision == 6)
        let known = try other.store.publish(try shortcutSet("f", retired: ["c"]), "4.0", of: app).warnings.map(\.code)
        #expect(!known.contains("unknown-id"))
        try other.store.makeApp("com.example.gone")
        #expect(try other.store.publish(try shortcutSet("e"), of: gone).revision == 6)
    }

    @Test func `a draft keeps its time and who gave it`() throws {
        let app = try fill("com.example.notes")
        let other = try Workbench()
        try other.store.importArchive(try brought(try written(store)), replacing: false, dryRun: false, by: author(at: 5000, "carl"))
        let due = try other.store.publishNextDue(at: 1_900_000_000_000)
        guard case .published(app, let draft, revision: 6)? = due else {
            Issue.record("\(String(describing: due))")
            return
        }
        #expect(draft.savedBy == "ana")
        #expect(try other.store.revision(6, of: app)?.by == "ben")
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
        #expect(try other.store.count("events") == 4)
        #expect(try other.store.states(of: "e") == ["pending", "pending", "pending", "pending"])
    }

    @Test func `a scope sees its apps only`() throws {
        let app = try fill("com.example.notes")
        _ = try fill("com.example.other")
        let archive = try store.archive(within: .apps([app]))
        #expect(archive.ids == [app])
    }
}
