import Dispatch
import Foundation
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Storage

@Suite struct SnapshotCacheTests {
    private func configuration(_ budget: Int) -> Store.Configuration {
        var configuration = Store.Configuration()
        configuration.snapshotBudget = budget
        return configuration
    }

    /// Runs a body while the store cannot be read: its file was moved, and its only connection is in use.
    private func whileUnreadable<Result: Sendable>(
        _ bench: Workbench, _ body: @escaping @Sendable (Store) throws -> Result
    ) throws -> Result? {
        let store = bench.store
        // Opens the only connection.
        try store.database.read { _ throws(Failure) in }
        try FileManager.default.moveItem(atPath: bench.path, toPath: bench.path + ".moved")
        let result = Mutex<Result?>(nil)
        try store.database.read { _ throws(Failure) in
            let isDone = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                let seen = try? body(store)
                result.withLock { $0 = seen }
                isDone.signal()
            }
            isDone.wait()
        }
        try FileManager.default.moveItem(atPath: bench.path + ".moved", toPath: bench.path)
        return result.withLock { $0 }
    }

    @Test func `what is used least is forgotten once the bytes are too many`() throws {
        let bench = try Workbench(configuration(100_000))
        let store = bench.store
        let hot = try store.makeApp("com.example.hot")
        try store.publish(try shortcutSet("a"), of: hot)
        var most = 0
        for number in 0..<1_000 {
            let app = try store.makeApp("com.example.app\(number)")
            try store.publish(try shortcutSet("a", "b"), of: app)
            _ = try store.snapshot(of: app, effectiveFor: try version("1.0.0"), .default)
            _ = try store.snapshot(of: hot)
            most = max(most, store.snapshotByteCount)
        }
        #expect(most <= 100_000 && most > 50_000)
        #expect(store.snapshots.lastCommitted(hot) != nil)
        let kept = try (0..<1_000).count { store.snapshots.lastCommitted(try appID("com.example.app\($0)")) != nil }
        #expect(kept > 10 && kept < 500)
    }

    @Test func `thousands of apps are served while the store cannot be read`() throws {
        let bench = try Workbench(configuration(64 << 20))
        for number in 0..<2_000 {
            try bench.store.publish(try shortcutSet("a"), of: try bench.store.makeApp("com.example.app\(number)"))
        }
        let served = try whileUnreadable(bench) { store in
            try (0..<2_000).count { number in
                let read = try store.snapshot(
                    of: try appID("com.example.app\(number)"), effectiveFor: try version("1.0.0"), .default)
                return read?.effective?.revision == 1 && read?.isStale == true
            }
        }
        #expect(served == 2_000)
    }

    @Test func `a set is parsed when it is asked for, and no other`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        for number in 1...20 { try bench.store.publish(try shortcutSet("a", "b", "c"), "\(number).0.0", of: app) }
        let store = try bench.reopened()
        _ = try store.snapshot(of: app, effectiveFor: try version("1.5.0"), .default)
        let one = store.snapshotByteCount
        _ = try store.snapshot(of: app, effectiveFor: try version("1.7.0"), .default)
        #expect(store.snapshotByteCount == one)
        _ = try store.snapshot(of: app, effectiveFor: try version("9.0.0"), .default)
        let two = store.snapshotByteCount
        #expect(two > one)
        _ = try store.snapshot(of: app)
        #expect(store.snapshotByteCount > one + 10 * (two - one))
    }

    @Test func `what a write reads or leaves that is rolled back is never served`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), of: app)
        let change = SetChange(
            version: try version("1.0.0"), audience: .default, action: .publish(try shortcutSet("b", title: "never")),
            writeCondition: .none,
            consent: .none(override: nil))
        let failure = failureCode {
            try bench.store.write { transaction throws(Failure) in
                _ = try transaction.publish(
                    change, of: app, by: author())
                _ = try transaction.snapshot(of: app)
                throw Failure(.conflict, "rolled back")
            }
        }
        #expect(failure == .conflict)
        let outdated = try whileUnreadable(bench) { try $0.snapshot(of: app)?.timelines[.default]?.sets.map(\.revision) }
        #expect(outdated == [1])
        #expect(try bench.store.snapshot(of: app)?.timelines[.default]?.sets.map(\.revision) == [1])
        // The number now belongs to another set.
        try bench.store.publish(try shortcutSet("c"), of: app)
        #expect(try bench.store.snapshot(of: app)?.timelines[.default]?.sets.first?.set.items.map(\.id.description) == ["c"])
    }

    @Test func `what this process has committed is served before anybody has read it`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), of: app)
        try bench.store.publish(try shortcutSet("b"), of: app)
        let seen = try whileUnreadable(bench) { try $0.snapshot(of: app)?.timelines[.default]?.sets.map(\.revision) }
        #expect(seen == [2])
    }

    @Test func `an app that is removed is forgotten once somebody has seen that`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        _ = try bench.store.snapshot(of: app)
        try bench.store.deleteApp(app, by: author())
        #expect(try bench.store.snapshot(of: app) == nil)
        #expect(bench.store.snapshots.lastCommitted(app) == nil && bench.store.snapshotByteCount == 0)
    }

    private func stored(_ stamp: String, revision: Int64) throws -> StoredApp {
        StoredApp(
            stamp: stamp,
            app: App(id: try appID(), name: "Notes", defaultLanguage: try #require(LanguageTag("en")), fallbackURL: nil), sets: [],
            releases: [], nextPublish: nil, lastRevision: revision, candidates: [:])
    }

    @Test func `a slow reader does not replace what was read or committed since`() throws {
        let cache = SnapshotCache(budget: 1 << 20)
        let app = try appID()
        let slow = (begin: cache.nextMoment(), end: cache.nextMoment())
        let (begin, end) = (cache.nextMoment(), cache.nextMoment())
        cache.keep(try stored("renamed", revision: 1), readFrom: begin, to: end)
        cache.keep(try stored("former", revision: 1), readFrom: slow.begin, to: slow.end)
        cache.remove(app, readFrom: slow.begin)
        #expect(cache.lastCommitted(app)?.stamp == "renamed")

        let reader = (begin: cache.nextMoment(), end: cache.nextMoment())
        cache.keepPending(try stored("published", revision: 2))
        cache.commit(app, under: "published")
        cache.keep(try stored("renamed", revision: 1), readFrom: reader.begin, to: reader.end)
        #expect(cache.lastCommitted(app)?.stamp == "published")
        cache.remove(app, readFrom: cache.nextMoment())
        #expect(cache.lastCommitted(app) == nil)
    }

    @Test func `of two that were read at the same time the greater revision is kept`() throws {
        let cache = SnapshotCache(budget: 1 << 20)
        let (first, second) = (cache.nextMoment(), cache.nextMoment())
        cache.keep(try stored("one", revision: 1), readFrom: second, to: cache.nextMoment())
        cache.keep(try stored("two", revision: 2), readFrom: first, to: cache.nextMoment())
        #expect(cache.lastCommitted(try appID())?.stamp == "two")
    }

    @Test func `where anything may have changed, what is known is served and nothing is concluded from it`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), of: app)
        _ = try bench.store.snapshot(of: app)
        let cache = bench.store.snapshots
        let before = (begin: cache.nextMoment(), end: cache.nextMoment())
        #expect(cache.sets(of: app).count == 1)
        cache.expire()
        #expect(cache.sets(of: app).isEmpty && cache.lastCommitted(app)?.lastRevision == 1)
        // Read earlier; revision 8 was lost since.
        cache.keep(try stored("lost", revision: 8), readFrom: before.begin, to: before.end)
        #expect(cache.lastCommitted(app)?.lastRevision == 1)
        cache.keep(try stored("lost", revision: 8), readFrom: cache.nextMoment(), to: cache.nextMoment())
        cache.expire()
        cache.keepPending(try stored("published", revision: 2))
        cache.commit(app, under: "published")
        #expect(cache.lastCommitted(app)?.lastRevision == 2)
    }

    @Test func `another process's commit of anything expires what is known`() throws {
        let bench = try Workbench(on: .sqlite)
        let app = try bench.store.makeApp()
        try bench.store.publish(try shortcutSet("a"), of: app)
        _ = try bench.store.snapshot(of: app)
        #expect(bench.store.snapshots.sets(of: app).count == 1)
        try bench.reopened().makeApp("com.example.other")
        try bench.store.checkForExternalCommits()
        #expect(bench.store.snapshots.sets(of: app).isEmpty)
    }

    /// As after a failover to a replica that lost revision 2, whose number was given again.
    @Test(.eachEngine, .namingEngine) func `another set under the number of a lost one is served`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), "1.0.0", of: app)
        try store.publish(try shortcutSet("lost"), "2.0.0", of: app)
        _ = try store.snapshot(of: app)
        try store.database.write { connection throws(Failure) in
            try connection.execute(
                """
                UPDATE revisions SET document = (SELECT document FROM revisions WHERE number = 1), published_at = 2000
                WHERE number = 2
                """, [])
            try connection.execute("UPDATE apps SET stamp = 'another'", [])
        }
        try store.publish(try shortcutSet("c"), "3.0.0", of: app)
        let served = try store.snapshot(of: app, effectiveFor: try version("2.0.0"), .default)
        #expect(served?.effective?.set.items.map(\.id.description) == ["a"])
        #expect(served?.effective?.publishedAt == 2000)
    }
}
