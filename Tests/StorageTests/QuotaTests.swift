import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct QuotaTests {
    private func store(_ change: (inout AppQuota) -> Void) throws -> (Workbench, AppID) {
        var configuration = Store.Configuration()
        change(&configuration.quota)
        let bench = try Workbench(configuration)
        return (bench, try bench.store.makeApp())
    }

    private func save(_ text: String, _ set: ShortcutSet, _ store: Store, _ app: AppID) throws {
        let change = DraftChange(version: try version(text), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.replacement(set), change, of: app, by: author())
    }

    @Test func `sets, drafts and releases are counted, and what is there can be replaced and deleted`() throws {
        let (bench, app) = try store { ($0.sets, $0.releases) = (2, 1) }
        let store = bench.store
        try store.publish(try shortcutSet("a"), "1.0", of: app)
        try store.publish(try shortcutSet("a"), "2.0", of: app)
        #expect(failureCode { try store.publish(try shortcutSet("a"), "3.0", of: app) } == .quotaExceeded)
        try store.publish(try shortcutSet("a", "b"), "2.0", of: app)
        try store.publish(try shortcutSet("a", "c"), "2.0", of: app)
        try save("1.0", try shortcutSet("a"), store, app)
        try save("2.0", try shortcutSet("a"), store, app)
        #expect(failureCode { try save("3.0", try shortcutSet("a"), store, app) } == .quotaExceeded)
        try save("2.0", try shortcutSet("d"), store, app)
        _ = try store.putRelease(try release("1.0"), keepsAssets: false, of: app, by: author())
        let more = failureCode { _ = try store.putRelease(try release("2.0"), keepsAssets: false, of: app, by: author()) }
        #expect(more == .quotaExceeded)
        _ = try store.putRelease(try release("1.0", statics: 2), keepsAssets: false, of: app, by: author())
        try store.deleteRelease(try build("1.0"), of: app, by: author())
        _ = try store.putRelease(try release("2.0"), keepsAssets: false, of: app, by: author())
        #expect(try store.count("releases") == 1 && store.count("sets") == 2 && store.count("drafts") == 2)
    }

    @Test func `bytes are counted, of what is published and of what is prepared`() throws {
        let (bench, app) = try store { $0.bytes = 1600 }
        let store = bench.store
        let large = try shortcutSet("a", "b", title: String(repeating: "새", count: 100))
        try store.publish(large, "1.0", of: app)
        #expect(failureCode { try store.publish(large, "2.0", of: app) } == .quotaExceeded)
        try store.publish(try shortcutSet("a"), "1.0", of: app)
        try save("1.0", large, store, app)
        #expect(failureCode { try save("2.0", large, store, app) } == .quotaExceeded)
        try save("1.0", try shortcutSet("a"), store, app)
        #expect(try store.count("drafts") == 1)
    }

    @Test func `an import and an apply are bounded, too, and nothing of them is written`() throws {
        let (bench, app) = try store { $0.sets = 1 }
        let other = try Workbench()
        try other.store.makeApp()
        try other.store.publish(try shortcutSet("a"), "1.0", of: app)
        try other.store.publish(try shortcutSet("a"), "2.0", of: app)
        let archive = try ArchiveDocument(other.store.exported()).checked()
        for isDryRun in [true, false] {
            let code = failureCode { try bench.store.importArchive(archive, replacing: true, dryRun: isDryRun, by: author()) }
            #expect(code == .quotaExceeded)
        }
        #expect(try bench.store.count("revisions") == 0)
    }

    @Test func `a campaign ends although the app holds too much by then`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a", "b", "c"), "1.0", of: app)
        try bench.store.publish(try shortcutSet("a"), "1.0", of: app, until: 2000)
        var configuration = Store.Configuration()
        configuration.quota.bytes = 200
        let fired = try bench.reopened(configuration).fireNextDue(at: 3000)
        guard case .done? = fired else {
            Issue.record("\(String(describing: fired))")
            return
        }
    }
}
