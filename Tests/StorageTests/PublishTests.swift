import Foundation
import QuickActions
import Shortcuts
import Testing

@testable import Storage

@Suite(.eachEngine, .namingEngine) struct PublishTests {
    @Test func `a publish is a revision, what stands, an event and an audit entry`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        let receipt = try store.publish(try shortcutSet("a", "b"), of: app, at: 2000)
        #expect((receipt.revision, receipt.isNew, receipt.isChange) == (1, true, true))
        let current = try #require(try store.set(try version("1"), .default, of: app))
        #expect((current.revision, current.by, current.publishedAt) == (1, "ana", 2000))
        #expect(current.set == (try shortcutSet("a", "b")))
        #expect(try store.revision(1, of: app)?.kind == .published)
        let entry = try #require(try store.audit(PageRequest(), within: .all).items.first)
        #expect((entry.action, entry.revision, entry.author.request) == (.setPublished, 1, "r-2000"))
        #expect(entry.version?.description == "1.0.0")
        #expect(try store.count("events", where: "type = 'shortcuts.published'") == 1)
        #expect(bench.heard.changed.withLock { $0 } == [app, app])
    }

    @Test func `publishing the same again writes nothing`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), of: app)
        let before = (try store.count("events"), try store.count("audit"), bench.heard.changed.withLock(\.count))
        let receipt = try store.publish(try shortcutSet("a"), of: app, at: 9000)
        #expect((receipt.revision, receipt.isNew, receipt.isChange) == (1, false, false))
        let after = (try store.count("events"), try store.count("audit"), bench.heard.changed.withLock(\.count))
        #expect(before == after)
    }

    @Test func `the counter and the revisions outlive the app`() throws {
        let store = try Workbench().store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), of: app)
        try store.publish(try shortcutSet("b"), of: app)
        #expect(try store.publish(nil, of: app).revision == 3)
        try store.publish(try shortcutSet("c"), of: app)
        try store.deleteApp(app, by: author())
        #expect(try store.snapshot(of: app) == nil)
        #expect(failureCode { try store.publish(try shortcutSet("c"), of: app) } == .unknownApp)
        try store.makeApp()
        #expect(try store.snapshot(of: app)?.timelines.isEmpty == true)
        #expect(try store.snapshot(of: app)?.lastRevision == 4)
        #expect(try store.publish(try shortcutSet("c"), of: app).revision == 5)
        #expect(try store.snapshot(of: app)?.lastRevision == 5)
        #expect(try store.snapshot(of: app, effectiveFor: try version("0.1"), .default)?.lastRevision == 5)
        let known = try #require(try store.lastKnown(app))
        #expect(known.isStale && known.lastRevision == 5 && known.timelines.count == 1)
        #expect(try store.lastKnown(app, effectiveFor: try version("1.0"), .default)?.effective?.revision == 5)
        #expect(try store.lastKnown(try #require(AppID("com.example.unread"))) == nil)
        #expect(try store.revisions(of: app, PageRequest()).items.map(\.number) == [5, 4, 3, 2, 1])
        #expect(try store.revision(3, of: app)?.kind == .deleted)
        #expect(try store.revision(4, of: app)?.set == (try shortcutSet("c")))
    }

    @Test func `what a refused publish would have written is not there`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), "1.0", of: app)
        try store.publish(try shortcutSet("b", retired: ["a"]), "2.0", of: app)
        let before = (try store.count("events"), try store.count("audit"), try store.count("revisions"))
        #expect(failureCode { try store.publish(try shortcutSet("a"), "3.0", of: app) } == .idReused)
        #expect(failureCode { try store.publish(nil, "9.0", of: app) } == .unknownResource)
        let stale = WriteCondition(ifMatch: { $0 == "77" }, ifNoneMatch: { _ in true })
        #expect(
            failureCode { try store.publish(try shortcutSet("z"), "1.0", of: app, expecting: stale) }
                == .preconditionFailed)
        let after = (try store.count("events"), try store.count("audit"), try store.count("revisions"))
        #expect(before == after)
        #expect(try store.publish(try shortcutSet("c"), "3.0", of: app).revision == 3)
    }

    @Test(arguments: ["com.example.notes", "com.example.other"])
    func `ids are known for the audience they were published for`(_ name: String) throws {
        let store = try Workbench().store
        let app = try store.makeApp(name)
        let guest = try #require(Audience("guest"))
        try store.publish(try shortcutSet("a"), "1.0", of: app)
        try store.publish(try shortcutSet(), "1.0", of: app)
        let known = try store.publish(try shortcutSet("b", retired: ["a"]), "2.0", of: app)
        #expect(!known.warnings.contains { $0.code == "unknown-id" })
        let unknown = try store.publish(try shortcutSet("b", retired: ["a"]), "2.0", of: app, audience: guest)
        #expect(unknown.warnings.contains { $0.code == "unknown-id" })
    }

    @Test func `what is read follows every change, also of another process`() throws {
        let bench = try Workbench()
        let (mine, theirs) = (bench.store, try bench.reopened())
        let app = try mine.makeApp()
        func revisions() throws -> [Int64]? { try mine.snapshot(of: app)?.timelines[.default]?.sets.map(\.revision) }
        for (number, store) in [mine, theirs, mine, theirs].enumerated() {
            try store.publish(try shortcutSet("i\(number)"), of: app)
            #expect(try revisions() == [Int64(number + 1)])
        }
        _ = try theirs.putRelease(try release("1.0+1"), keepsAssets: false, of: app, by: author())
        #expect(try mine.snapshot(of: app)?.releases.count == 1)
        try theirs.deleteRelease(try build("1.0"), of: app, by: author())
        #expect(try mine.snapshot(of: app)?.releases.isEmpty == true)
        try theirs.makeApp(language: "ko")
        #expect(try mine.snapshot(of: app)?.app.defaultLanguage.description == "ko")
        try theirs.deleteApp(app, by: author())
        #expect(try mine.snapshot(of: app) == nil)
        try theirs.makeApp()
        #expect(try mine.snapshot(of: app)?.timelines.isEmpty == true)
    }

    @Test(arguments: [("0.9", "default"), ("1.5", "default"), ("2", "default"), ("1.5", "beta"), ("3", "beta"), ("1", "gamma")])
    func `a fetch reads the set that is in effect and no other`(_ text: String, _ audience: String) throws {
        let bench = try Workbench()
        let audience = try #require(Audience(audience))
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), "1.0.0", of: app)
        try bench.store.publish(try shortcutSet("a", "b"), "2.0.0", of: app)
        try bench.store.publish(try shortcutSet("c"), "3.0.0", of: app, audience: try #require(Audience("beta")))
        let whole = try #require(try bench.store.snapshot(of: app)).timeline(for: audience)
        let store = try bench.reopened()
        for _ in 0..<2 {
            let read = try #require(try store.snapshot(of: app, effectiveFor: try version(text), audience))
            #expect(read.audience == whole.audience)
            #expect(read.effective?.revision == whole.effectiveSet(for: try version(text))?.revision)
            #expect(read.range?.from == read.effective?.version)
            let next = whole.sets.first { $0.version > (AppVersion(text) ?? $0.version) }?.version
            #expect(read.range?.until == (read.effective == nil ? nil : next))
        }
        try bench.store.publish(try shortcutSet("d"), try version(text).description, of: app, audience: whole.audience)
        let changed = try #require(try store.snapshot(of: app, effectiveFor: try version(text), audience))
        #expect(changed.effective?.revision == 4)
        #expect(try store.snapshot(of: app)?.timelines.values.reduce(0) { $0 + $1.sets.count } ?? 0 >= 3)
    }

    @Test func `of a changed app, only the documents that are new are read`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), "1.0.0", of: app)
        let other = try bench.reopened()
        _ = try other.snapshot(of: app)
        try bench.store.publish(try shortcutSet("a", "b"), "2.0.0", of: app)
        _ = try bench.store.database.writeUnsynced(.free) { connection throws(Failure) in
            try connection.execute("UPDATE revisions SET document = 'unreadable' WHERE number = 1", [])
        }
        let sets = try #require(try other.snapshot(of: app)).timeline(for: .default).sets
        #expect(sets.map { $0.set.items.map(\.id.description) } == [["a"], ["a", "b"]])
    }

    @Test func `of two writers with the same precondition one wins, and nothing of the other is written`() async throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("start"), of: app)
        for round in 1...20 {
            let expected = Int64(round)
            let outcomes = try await withThrowingTaskGroup(of: Failure.Code?.self) { group in
                for writer in 0..<2 {
                    group.addTask {
                        let set = try shortcutSet("w\(round)-\(writer)")
                        return failureCode {
                            try store.publish(
                                set, of: app, expecting: WriteCondition(ifMatch: { $0 == "\(expected)" }, ifNoneMatch: { _ in true }))
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 == nil }.count == 1)
            #expect(outcomes.contains(.preconditionFailed))
        }
        #expect(try store.count("revisions") == 21)
        #expect(try store.count("audit", where: "action = 'set.published'") == 21)
        #expect(try store.count("events", where: "type = 'shortcuts.published'") == 21)
    }

    @Test func `many writers never share a number`() async throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        let numbers = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for writer in 1...4 {
                group.addTask {
                    try (0..<10).map { try store.publish(try shortcutSet("i\($0)"), "\(writer).0", of: app).revision }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...40))
    }
}
