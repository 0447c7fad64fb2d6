import QuickActions
import Shortcuts
import Testing

@testable import Storage

/// Imports and applies: prepared on a snapshot while others write, then written in a separate transaction.
@Suite(.eachEngine, .namingEngine) struct BulkWriteTests {
    private let bench: Workbench
    private var store: Store { bench.store }

    init() throws { bench = try Workbench() }

    /// An archive of apps with these ids, each with a set.
    private func archive(of ids: [String], deleted: [String] = []) throws -> Archive {
        let histories = deleted.map { #"{"app": "\#($0)", "lastRevision": 3, "revisions": [\#(revision(3))]}"# }
        let apps = ids.map { id in
            """
            {"app": "\(id)", "name": null, "defaultLanguage": "en", "fallbackURL": null, "lastRevision": 2, "releases": [], "drafts": [],
             "sets": [{"version": "1.0.0", "audience": "default", "revision": 2}], "revisions": [\(revision(1)), \(revision(2))]}
            """
        }
        let text =
            #"{"format": "longpress-export", "schema": 2, "apps": [\#(apps.joined(separator: ","))], "deletedApps": [\#(histories.joined(separator: ","))]}"#
        return try ArchiveDocument(Array(text.utf8)).checked()
    }

    private func revision(_ number: Int) -> String {
        """
        {"revision": \(number), "kind": "published", "version": "1.0.0", "audience": "default", "publishedAt": "2026-01-31T09:00:00.000Z",
         "by": "ana", "set": {"items": [{"id": "a", "type": "t", "title": {"en": "\(number)"}}]}}
        """
    }

    private func ids(_ count: Int) -> [String] { (0..<count).map { "com.example.app\($0)" } }

    @Test func `an import of many apps is written with their events, deliveries and places in the stream`() throws {
        try store.createEndpoint(endpoint("ep_all"), by: author())
        try store.createEndpoint(endpoint("ep_off", types: [.published], enabled: false), by: author())
        try store.createEndpoint(endpoint("ep_none", apps: [try appID("com.example.other")]), by: author())
        let start = try store.streamPosition()
        try store.importArchive(try archive(of: ids(250)), replacing: false, dryRun: false, by: author())
        let counts = try ["apps", "revisions", "sets", "item_ids", "events"].map { try store.count($0) }
        #expect(counts == [250, 500, 250, 250, 500])
        #expect(try store.states(of: "ep_all") == Array(repeating: "pending", count: 500))
        #expect(try store.states(of: "ep_off") == Array(repeating: "held", count: 250))
        #expect(try store.states(of: "ep_none") == [])
        let entries = try #require(try store.streamEntries(after: start, limit: 1000))
        #expect(entries.map(\.position.number) == (1...500).map { start.number + $0 })
        #expect(bench.heard.changed.withLock { Set($0) } == Set(try ids(250).map(appID)))
        #expect(try store.snapshot(of: try appID("com.example.app249"))?.lastRevision == 2)
        // Each event comes before its app's next one.
        let last = Dictionary(entries.map { ($0.app, $0) }, uniquingKeysWith: { _, last in last })
        #expect(last.values.allSatisfy { if case .set = $0.change { true } else { false } })
    }

    @Test func `an import replaces apps, brings new ones and keeps the numbers of deleted ones`() throws {
        let replaced = try store.makeApp("com.example.app1")
        for _ in 1...5 { try store.publish(try shortcutSet("b"), "3.0", of: replaced); try store.publish(nil, "3.0", of: replaced) }
        _ = try store.putRelease(try release("1.0+7"), keepsAssets: false, of: replaced, by: author())
        let deleted = try store.makeApp("com.example.app0")
        try store.publish(try shortcutSet("b"), of: deleted)
        try store.deleteApp(deleted, by: author())
        try store.publish(try shortcutSet("c"), "4.0", of: replaced)
        let removed = try appID("com.example.gone")
        let result = try store.importArchive(
            try archive(of: ids(3), deleted: ["com.example.gone"]), replacing: true, dryRun: false, by: author())
        #expect(try store.database.read { connection throws(Failure) in try connection.lastRevision(of: removed) } == 3)
        #expect(result.map(\.app.app.id) == [deleted, replaced])
        #expect(try store.snapshot(of: replaced)?.lastRevision == 13)
        #expect(try store.snapshot(of: replaced)?.releases.isEmpty == true)
        #expect(try store.snapshot(of: deleted)?.lastRevision == 3)
        #expect(try store.snapshot(of: try appID("com.example.app2"))?.lastRevision == 2)
        #expect(try store.count("sets") == 3)
    }

    @Test func `an apply changes one app and makes another`() throws {
        let old = try store.makeApp("com.example.a")
        let document: JSON = [
            "apps": [
                "com.example.a": ["sets": ["1.0": try shortcutSet("a").json]],
                "com.example.b": ["app": ["defaultLanguage": "en"], "sets": ["1.0": try shortcutSet("a").json]],
            ]
        ]
        let request = try ApplyDocument(document).checked(among: [old: try #require(try store.app(old))], ApplyOptions())
        _ = try store.apply(request, dryRun: false, by: author())
        #expect(try store.count("sets") == 2)
        let new = try #require(try store.snapshot(of: try appID("com.example.b")))
        #expect(new.lastRevision == 1)
        // The cached state of the write has the stored stamp.
        let stamp = try store.database.read { connection throws(Failure) in try connection.marks(of: [new.app.id])[new.app.id]?.stamp }
        #expect(store.snapshots.app(new.app.id, under: try #require(stamp), isCommitted: true) != nil)
    }

    @Test func `others write while it is worked out`() throws {
        let (app, other) = (try store.makeApp("com.example.a"), try store.makeApp("com.example.b"))
        var runs = 0
        try store.writeBulk { transaction throws(Failure) in
            runs += 1
            _ = try transaction.connection.marks(of: [app])
            try store.touch(other, runs)
            try transaction.renewStamp(of: app)
        }
        #expect(runs == 1)
        #expect(bench.heard.changed.withLock { Array($0.suffix(2)) } == [other, app])
    }

    @Test(arguments: [1, 3]) func `it runs again where what it has read has changed, at last under the lock`(_ changes: Int) throws {
        let app = try store.makeApp()
        let beside = try bench.reopened()
        var runs = 0
        let read = try store.writeBulk { transaction throws(Failure) in
            let last = try transaction.connection.marks(of: [app])[app]?.lastRevision
            runs += 1
            if runs <= changes { try beside.touch(app, runs) }
            try transaction.setLastRevision((last ?? 0) + 100, of: app)
            return last
        }
        #expect(runs == changes + 1 && read == Int64(changes))
        #expect(try store.database.read { connection throws(Failure) in try connection.lastRevision(of: app) } == Int64(changes) + 100)
    }

    @Test func `what it throws is thrown, and nothing is written`() throws {
        let app = try store.makeApp()
        let before = bench.heard.changed.withLock(\.count)
        #expect(
            failureCode {
                try store.writeBulk { transaction throws(Failure) in
                    try transaction.renewStamp(of: app)
                    throw Failure(.conflict, "Refused.")
                }
            } == .conflict)
        #expect(
            failureCode {
                try store.writeBulk { transaction throws(Failure) in
                    try transaction.renewStamp(of: app)
                    try transaction.connection.enqueue("INSERT INTO sets (app, audience, position, revision) VALUES ('x', 'y', 'z', 1)", [])
                }
            } == .internalError)
        #expect(bench.heard.changed.withLock(\.count) == before)
    }
}

extension Store {
    /// Increases the app's revision, as a publish does.
    fileprivate func touch(_ app: AppID, _ number: Int) throws(Failure) {
        try write { transaction throws(Failure) in
            try transaction.setLastRevision(Int64(number), of: app)
            try transaction.renewStamp(of: app)
        }
    }
}
