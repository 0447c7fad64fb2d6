import Foundation
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Storage
@testable import StorageSQLite

struct GroupCommitTests {
    @Test func `a writer that throws is rolled back alone`() throws {
        let bench = try Workbench()
        let store = bench.store
        let failures = try bench.together([
            { try store.makeApp("com.example.a") },
            {
                try store.write { transaction throws(Failure) in
                    try transaction.connection.execute("INSERT INTO item_ids (app, audience, id) VALUES ('x', 'default', 'y')", [])
                    throw Failure(.conflict, "Refused.")
                }
            },
            { try store.makeApp("com.example.c") },
        ])
        #expect(failures == [nil, .conflict, nil])
        #expect(try store.count("apps") == 2)
        #expect(try store.count("item_ids") == 0)
        #expect(try store.audit(PageRequest(), within: .all).items.map(\.app?.description) == ["com.example.c", "com.example.a"])
    }

    @Test func `the writers of a group see one another before the commit`() throws {
        let bench = try Workbench()
        let store = bench.store
        let seen = Mutex<[Int]>([])
        let failures = try bench.together([
            { try store.makeApp("com.example.a") },
            {
                try store.write { transaction throws(Failure) in
                    let inside = try transaction.connection.rows("SELECT id FROM apps", [], as: String.self)
                    let outside = try store.apps(PageRequest(), within: .all).items
                    seen.withLock { $0 = [inside.count, outside.count] }
                }
            },
        ])
        #expect(failures == [nil, nil])
        #expect(seen.withLock { $0 } == [1, 0])
    }

    @Test func `a transaction that cannot be committed fails for every writer in it, and the next succeeds`() throws {
        let bench = try Workbench()
        let store = bench.store
        let failures = try bench.together([
            { try store.makeApp("com.example.a") },
            {
                // The commit checks a deferred constraint.
                try store.write { transaction throws(Failure) in
                    try transaction.connection.execute("PRAGMA defer_foreign_keys = 1", [])
                    try transaction.connection.execute(
                        "INSERT INTO sets (app, audience, position, revision) VALUES ('none', 'default', '1', 1)", [])
                }
            },
            { try store.makeApp("com.example.c") },
        ])
        #expect(failures == [.internalError, .internalError, .internalError])
        #expect(try store.count("apps") == 0)
        #expect(bench.heard.changed.withLock { $0 }.isEmpty)
        try store.makeApp("com.example.d")
        #expect(try store.count("apps") == 1)
    }

    @Test func `where SQLite rolls the transaction back, no writer succeeds, and a revision number is issued again`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        let failures = try bench.together([
            { try store.publish(try shortcutSet("lost"), of: app) },
            { _ = try store.write { transaction throws(Failure) in try transaction.snapshot(of: app) } },
            {
                try store.write { transaction throws(Failure) in
                    try transaction.connection.execute("ROLLBACK", [])
                    throw Failure(.storageUnavailable, "The disk is full.")
                }
            },
        ])
        #expect(failures == [.storageUnavailable, .storageUnavailable, .storageUnavailable])
        #expect(try store.snapshot(of: app)?.timelines.isEmpty == true)
        #expect(try store.publish(try shortcutSet("kept"), of: app).revision == 1)
        #expect(try store.snapshot(of: app)?.timelines[.default]?.sets.map(\.set) == [try shortcutSet("kept")])
    }

    @Test func `a writer does not share the deadline of one who arrived long before`() throws {
        let group = GroupCommit(CommitOrder())
        let began = Mutex<[ContinuousClock.Instant]>([])
        let mayEnd = DispatchSemaphore(value: 0)
        let all = DispatchGroup()
        let deadline = ContinuousClock.now + .seconds(60)
        for waiting in -1..<2 {
            all.enter()
            Thread.detachNewThread {
                _ = failureCode {
                    try group.write({ _ throws(Failure) in }, committed: {}) { _, since in
                        let isFirst = began.withLock { began in
                            began.append(since)
                            return began.count == 1
                        }
                        if isFirst { mayEnd.wait() }
                        return GroupCommit.TransactionOutcome()
                    }
                }
                all.leave()
            }
            while began.withLock(\.isEmpty) || group.queueLength <= waiting {
                try #require(ContinuousClock.now < deadline, "A writer did not come.")
                usleep(200)
            }
            if waiting == 0 { sleep(3) }
        }
        mayEnd.signal()
        all.wait()
        let arrivals = began.withLock { $0 }
        try #require(arrivals.count == 3)
        #expect(arrivals[2] - arrivals[1] > .seconds(2))
    }

    @Test func `publishes of one app in one transaction are numbered in the order of arrival`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        let given = Mutex<[Int: Int64]>([:])
        let failures = try bench.together(
            (0..<5).map { number in
                {
                    let revision = try store.publish(try shortcutSet("item-\(number)"), "1.\(number)", of: app).revision
                    given.withLock { $0[number] = revision }
                    // The observers were called before the call returns.
                    #expect(bench.heard.changed.withLock { $0 }.contains(app))
                }
            })
        #expect(failures == Array(repeating: nil, count: 5))
        #expect(given.withLock { $0 } == [0: 1, 1: 2, 2: 3, 3: 4, 4: 5])
        #expect(bench.heard.changed.withLock { $0 }.count == 6)
        let read = try bench.reopened().snapshot(of: app)?.timelines[.default]?.sets
        let left = try store.snapshot(of: app)?.timelines[.default]?.sets
        #expect(read?.map(\.revision) == [1, 2, 3, 4, 5])
        #expect(left?.map(\.revision) == read?.map(\.revision) && left?.map(\.set) == read?.map(\.set))
        #expect(left?.map(\.publishedAt) == read?.map(\.publishedAt) && left?.map(\.by) == read?.map(\.by))
    }

    @Test func `no delivery is claimed before the observers of its commit were called`() throws {
        let bench = try Workbench()
        let app = try bench.store.makeApp()
        try bench.store.createEndpoint(endpoint("a", types: [.published]), by: author())
        let order = Mutex<[String]>([])
        let isClaimed = DispatchSemaphore(value: 0)
        let claimant = Mutex<Store?>(nil)
        let store = try Workbench.open(bench.path)
        let observation = store.observe { changes in
            guard case .app = changes.first else { return }
            Thread.detachNewThread {
                let claimed = try? claimant.withLock { $0 }?.claimDue(at: 9000, limit: 10, perEndpoint: 8, lease: 1000)
                order.withLock { $0 += claimed?.map(\.event.type.rawValue) ?? [] }
                isClaimed.signal()
            }
            // The claim is committed and waits for this observer.
            let deadline = ContinuousClock.now + .seconds(60)
            while (try? bench.store.count("deliveries", where: "lease_token IS NOT NULL")) == 0, .now < deadline { usleep(1000) }
            order.withLock { $0.append("heard") }
        }
        claimant.withLock { $0 = store }
        try store.publish(try shortcutSet("compose"), of: app)
        isClaimed.wait()
        claimant.withLock { $0 = nil }
        withExtendedLifetime(observation) {}
        #expect(order.withLock { $0 } == ["heard", "shortcuts.published"])
    }

    @Test func `the snapshot that a publish caches equals the stored one`() throws {
        let bench = try Workbench()
        let store = bench.store
        let app = try store.makeApp()
        try store.publish(try shortcutSet("a"), "1.0", of: app)
        try store.publish(try shortcutSet("b"), "2.0", of: app, audience: try #require(Audience("guest")))
        try store.publish(try shortcutSet("c"), "1.0", of: app)
        try store.publish(nil, "2.0", of: app, audience: try #require(Audience("guest")))
        let left = try #require(try store.snapshot(of: app))
        let read = try #require(try bench.reopened().snapshot(of: app))
        #expect(left.timelines.keys == read.timelines.keys)
        #expect(left.timelines[.default]?.sets.map(\.revision) == [3])
        #expect(left.timelines[.default]?.sets.map(\.set) == read.timelines[.default]?.sets.map(\.set))
    }
}

extension Workbench {
    /// Makes the writers share a transaction: they queue one by one while another write runs.
    /// - Returns: the failure of each writer; nil if it succeeded.
    fileprivate func together(_ writers: [@Sendable () throws -> Void]) throws -> [Failure.Code?] {
        let database = try #require(store.database as? SQLiteDatabase)
        let (hasBegun, mayEnd, all) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        let failures = Mutex<[Failure.Code?]>(Array(repeating: nil, count: writers.count))
        Thread.detachNewThread {
            _ = failureCode {
                try database.write { connection throws(Failure) in
                    hasBegun.signal()
                    mayEnd.wait()
                }
            }
        }
        hasBegun.wait()
        for (number, writer) in writers.enumerated() {
            all.enter()
            Thread.detachNewThread {
                let code = failureCode(writer)
                failures.withLock { $0[number] = code }
                all.leave()
            }
            let deadline = ContinuousClock.now + .seconds(60)
            while database.group.queueLength <= number {
                try #require(ContinuousClock.now < deadline, "A writer did not come to wait for the one who leads.")
                usleep(200)
            }
        }
        mayEnd.signal()
        all.wait()
        return failures.withLock { $0 }
    }
}
