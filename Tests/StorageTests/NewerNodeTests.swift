import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Data of a newer program that shares the database during an upgrade: this program ignores unknown members, icons and names, and preserves
/// them when it writes the document again.
@Suite(.eachEngine, .namingEngine) struct NewerNodeTests {
    private let store: Store
    private let app: AppID
    private let first: DraftChange

    /// Revision 1 of 1.0.0 with an item "a", as a newer program has stored it.
    init() throws {
        let bench = try Workbench()
        app = try bench.store.makeApp()
        first = DraftChange(version: try version("1.0.0"), audience: .default, writeCondition: .none)
        try bench.store.publish(try shortcutSet("a", "b", retired: ["c"]), of: app)
        try bench.store.rewrite("revisions")
        store = try bench.reopened()
    }

    /// The number of documents of the table that have everything that the newer program wrote.
    private func kept(in table: String, where condition: String = "1 = 1") throws -> Int {
        let words = ["\"later\":{\"a\":[1]}", "\"shape\":\"round\"", "\"hologram\"", "\"glow\":2", "\"why\":\"old\""]
        return try store.count(table, where: words.map { "document LIKE '%\($0)%'" }.joined(separator: " AND ") + " AND \(condition)")
    }

    @Test func `is read everywhere`() throws {
        let snapshot = try #require(try store.snapshot(of: app))
        let set = try #require(snapshot.timeline(for: .default).sets.first?.set)
        #expect(set.items.map(\.id.description) == ["a", "b"] && set.items[0].icon?.type == nil)
        #expect(try store.snapshot(of: app, effectiveFor: try version("1.0.0"), .default) != nil)
        #expect(try store.revisions(of: app, PageRequest()).items.count == 1)
        #expect(try store.sets(of: app, audience: nil, PageRequest()).items.count == 1)
        #expect(String(decoding: try store.exported(), as: UTF8.self).contains("hologram"))
        let answer = try #require(ShortcutsAnswer(for: Client(build: try build("1.0.0")), in: snapshot))
        let served = String(decoding: answer.json.encoded, as: UTF8.self)
        #expect(!["later", "round", "icon"].contains { served.contains($0) })
    }

    @Test func `is kept by a patch, an approval, a publish and a restore`() throws {
        _ = try store.publish(
            SetChange(
                version: first.version, audience: .default, action: .patch(ItemPatch(["enabled": false], of: try #require(ItemID("b")))),
                writeCondition: .none, consent: .none(override: nil)), of: app, by: author())
        #expect(try kept(in: "revisions") == 2)
        let later = DraftChange(version: try version("1.0.0"), audience: .default, writeCondition: .none)
        _ = try store.editDraft(.patch(["fallbackURL": "notes://home"]), later, of: app, by: author())
        #expect(try kept(in: "drafts") == 1)
        _ = try store.approveDraft(later, of: app, by: author(at: 1000, "ben"))
        #expect(try kept(in: "drafts") == 1)
        _ = try store.publishDraft(later, PublishOptions(until: 5000), override: nil, of: app, by: author())
        #expect(try kept(in: "revisions") == 3)
        // The automatic revert publishes revision 2 again.
        #expect(try store.fireNextDue(at: 5000) != nil)
        #expect(try kept(in: "revisions", where: "number = 4") == 1)
        let difference = SetDifference(from: try store.revision(1, of: app)?.set, to: try store.revision(4, of: app)?.set)
        #expect(difference.changed.map(\.id.description) == ["b"] && difference.set.isEmpty)
    }

    @Test func `is kept by a scheduled draft`() throws {
        _ = try store.editDraft(.replacement(try shortcutSet("a", title: "Draft", retired: ["c"])), first, of: app, by: author())
        try store.rewrite("drafts")
        _ = try store.scheduleDraft(first, at: 4000, until: nil, override: nil, of: app, by: author())
        #expect(try kept(in: "schedule") == 1)
        #expect(try store.fireNextDue(at: 4000) != nil)
        #expect(try kept(in: "revisions", where: "number = 2") == 1)
    }

    @Test func `is kept of an approval`() throws {
        _ = try store.editDraft(.replacement(try shortcutSet("d")), first, of: app, by: author())
        _ = try store.approveDraft(first, of: app, by: author(at: 1000, "ben"))
        try store.execute("UPDATE drafts SET approvals = replace(approvals, '\"token\":', '\"mood\":\"calm\",\"token\":')")
        #expect(try store.approveDraft(first, of: app, by: author(at: 1000, "eve")).given == 2)
        #expect(try store.count("drafts", where: "approvals LIKE '%\"mood\":\"calm\"%'") == 1)
    }

    @Test func `is kept of a release`() throws {
        _ = try store.putRelease(try release("1.0", statics: 1, assets: ["A"]), keepsAssets: false, of: app, by: author())
        try store.execute(
            "UPDATE releases SET document = replace(replace(document, '\"type\":\"s\"', '\"type\":\"s\",\"shape\":1'), '\"images\":', '\"movies\":[],\"images\":')"
        )
        let stored = try #require(try store.release(try build("1.0"), of: app))
        let text = String(decoding: stored.canonicalJSON, as: UTF8.self)
        #expect(text.contains("\"shape\":1") && text.contains("\"movies\":[]"))
        #expect(try store.releases(of: app, PageRequest()).items.count == 1)
        #expect(try store.snapshot(of: app)?.releases.count == 1)
    }

    @Test func `of events and endpoints is sent on`() throws {
        try store.createEndpoint(endpoint("a", types: [.published, .ping]), by: author())
        _ = try store.ping("a", by: author())
        try store.execute("UPDATE endpoints SET types = 'moon.phase shortcuts.published', disabled_reason = 'moody'")
        try store.execute("UPDATE events SET type = 'moon.phase'")
        #expect(try store.endpoints(PageRequest(), within: .all).items.map(\.disabledReason?.rawValue) == ["moody"])
        try store.publish(try shortcutSet("a", title: "Other", retired: ["c"]), of: app)
        #expect(
            try store.deliveries(to: "a", in: nil, of: nil, PageRequest()).items.map(\.type.rawValue) == [
                "shortcuts.published", "moon.phase",
            ])
        let claimed = try store.claimDue(at: 2000, limit: 9, perEndpoint: 9, lease: 1000)
        #expect(claimed.map(\.event.type.rawValue).sorted() == ["moon.phase", "shortcuts.published"])
        try store.record(claimed.map { $0.outcome(.exhausted, at: 2000) }, at: 2000, disableAfter: .max)
        #expect(try store.recover("a", since: nil, by: author()) == 2)
        _ = try store.updateEndpoint("a", isEnabling: false, by: author()) { endpoint throws(Failure) in
            var changed = endpoint
            changed.description = "Renamed"
            return changed
        }
        #expect(try store.count("endpoints", where: "types = 'moon.phase shortcuts.published' AND description = 'Renamed'") == 1)
        #expect(try store.states(of: "a") == ["pending", "pending"])
    }

    @Test func `of the audit is listed`() throws {
        try store.execute(#"UPDATE audit SET action = 'moon.observed', detail = '{"phase":"new"}'"#)
        let entry = try #require(try store.audit(PageRequest(), within: .all).items.first)
        #expect(
            entry.action.rawValue == "moon.observed" && String(decoding: entry.detail.json.encoded, as: UTF8.self) == #"{"phase":"new"}"#)
    }
}

extension Store {
    /// Adds members that only a newer program knows: to the set, to the item "a" and its icon, to the retired item.
    fileprivate func rewrite(_ table: String) throws {
        let additions = [
            (#""items":"#, #""later":{"a":[1]},"items":"#),
            (#""type":"t.a""#, #""type":"t.a","icon":{"type":"hologram","glow":2},"shape":"round""#),
            (#"{"id":"c""#, #"{"id":"c","why":"old""#),
        ]
        let document = additions.reduce("document") { "replace(\($0), '\($1.0)', '\($1.1)')" }
        try execute("UPDATE \(table) SET document = \(document)")
    }
}
