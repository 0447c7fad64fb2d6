import Foundation
import QuickActions
import Shortcuts
import Synchronization
import TestPostgres
import Testing

@testable import Storage
@testable import StoragePostgres

/// The connections of a node are closed, or become silent, after any message of an operation: another node can write within ten seconds,
/// and nothing is lost or done twice. With PostgreSQL, and with shorter time limits. Only the long form measures the ten seconds.
@Suite(.enabled(if: (try? PostgresServer.shared().socketPath) != nil, "the server is not the tests' own")) struct SilenceTests {
    enum Operation: CaseIterable { case publish, claim, heartbeat, schedule, migration }

    struct Lane: Sendable {
        let operation: Operation
        let direction: MessageProxy.Direction
        let stop: MessageProxy.Stop
        let first, step: Int

        static let all = Operation.allCases.flatMap { operation in
            MessageProxy.Direction.allCases.flatMap { direction in
                MessageProxy.Stop.allCases.flatMap { stop in
                    // A migration has the most messages.
                    let parts = isLong && operation == .migration ? 4 : 1
                    return (0..<parts).map { Lane(operation: operation, direction: direction, stop: stop, first: $0, step: parts) }
                }
            }
        }
    }

    fileprivate static let scale = 0.3
    fileprivate static let bound = isLong ? Duration.seconds(10) * scale : .seconds(60)
    /// True for make test-cluster: every boundary, with measurements.
    fileprivate static let isLong = ProcessInfo.processInfo.environment["LONGPRESS_CLUSTER"] == "long"

    @Test(arguments: Lane.all) func `another node goes on wherever one stops`(lane: Lane) async throws {
        // In a separate thread, because it mostly waits.
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Result { try LaneRun(lane).run() }) }
        }
        let figures = try result.get()
        if Self.isLong {
            FileHandle.standardError.write(Data("\(lane.operation) \(lane.direction) \(lane.stop): \(figures)\n".utf8))
        }
        #expect(figures.problems == [])
        #expect(figures.stops >= 3)
    }

    @Test func `a node starts while another is silent in the migration that alters the list of migrations`() throws {
        let bench = try Workbench(.node("bench"), on: .postgres)
        let (isLocked, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? bench.store.database.transaction { connection throws(Failure) in
                try connection.execute("LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE", [])
                isLocked.signal()
                isOver.wait()
            }
        }
        isLocked.wait()
        defer { isOver.signal() }
        _ = try bench.reopened(.node("other")) { $0.limits = Limits(scale: Self.scale) }
    }
}

/// Runs one operation, stopped after one message after the other.
private struct LaneRun {
    let lane: SilenceTests.Lane
    let bench: Workbench
    let other: Store
    let proxy: MessageProxy
    let app: AppID

    init(_ lane: SilenceTests.Lane) throws {
        self.lane = lane
        bench = try Workbench(.node("bench"), on: .postgres)
        other = try bench.reopened(.node("other"), postgres: Self.quicken)
        proxy = try MessageProxy(before: try #require(try PostgresServer.shared().socketPath))
        app = try other.makeApp()
        try other.createEndpoint(endpoint("a", types: [.ping]), by: author())
    }

    private static func quicken(_ configuration: inout PostgresDatabase.Configuration) {
        configuration.limits = Limits(scale: SilenceTests.scale)
    }

    private func openDatabase(_ uri: String, isPatient: Bool = false) throws -> PostgresDatabase {
        var configuration = PostgresDatabase.Configuration()
        if !isPatient { Self.quicken(&configuration) }
        return try PostgresDatabase.open(uri: uri, name: "the database", configuration, for: .migrate, clock: StoppedClock())
    }

    private var uriThroughProxy: String {
        "postgresql://longpress@127.0.0.1:\(proxy.port)/\(bench.folder.lastPathComponent)?sslmode=disable&gssencmode=disable"
    }

    struct Figures {
        var stops = 0
        /// The repetitions of the other node's writes.
        var repetitions = 0
        var longestWait = Duration.zero
        var problems: [String] = []
    }

    func run() throws -> Figures {
        defer { proxy.end() }
        try prepare(0)
        let beginning = ContinuousClock.now
        let isDone = act(0, stopBehind: nil).wait()
        // Only the time limits are shorter, not the work.
        let bound = SilenceTests.bound + beginning.duration(to: .now)
        let count = proxy.count(lane.direction)
        try check(0, isDone: isDone)
        var figures = Figures()
        let step = SilenceTests.isLong ? lane.step : max(1, count / 3)
        var (number, boundary, isStopped) = (0, lane.first, true)
        // A run may need a few messages more than the first one.
        while boundary <= count || isStopped {
            number += 1
            defer { boundary += step }
            try prepare(number)
            let victim = act(number, stopBehind: boundary)
            while !proxy.isStopped, !victim.isOver { Thread.sleep(forTimeInterval: 0.002) }
            isStopped = proxy.isStopped
            figures.stops += isStopped ? 1 : 0
            let start = ContinuousClock.now
            let result = Result { figures.repetitions += try goOn(number, until: start + bound) }
            let waited = start.duration(to: .now)
            proxy.recover()
            let isDone = victim.wait()
            figures.longestWait = max(figures.longestWait, waited)
            do {
                try result.get()
                try check(number, isDone: isDone)
                try expect(waited <= bound, "the other node waited too long")
            } catch {
                figures.problems.append("behind message \(boundary) of \(count), after \(waited): \(error)")
            }
        }
        return figures
    }

    // MARK: - The operations

    private final class Victim: Sendable {
        /// Whether the operation was acknowledged; nil until its end.
        let result = Mutex<Bool?>(nil)

        var isOver: Bool { result.withLock { $0 != nil } }

        func wait() -> Bool {
            while true {
                if let isDone = result.withLock(\.self) { return isDone }
                Thread.sleep(forTimeInterval: 0.002)
            }
        }
    }

    private func prepare(_ number: Int) throws {
        switch lane.operation {
        case .publish, .heartbeat: break
        case .claim:
            _ = try bench.store.database.writeUnsynced(.free) { connection throws(Failure) in
                try connection.execute("DELETE FROM deliveries", [])
            }
            for _ in 0..<4 { _ = try bench.store.ping("a", by: author()) }
        case .schedule:
            let change = DraftChange(version: try version("1.0"), audience: .default, writeCondition: .none)
            let author = author(at: 1000, "victim-\(number)")
            _ = try bench.store.editDraft(.replacement(try shortcutSet("a", title: "Scheduled \(number)")), change, of: app, by: author)
            _ = try bench.store.scheduleDraft(change, at: 5000, until: nil, override: nil, of: app, by: author)
        case .migration:
            try bench.store.database.transaction { connection throws(Failure) in
                try connection.run(script: "SET LOCAL client_min_messages = error; DROP SCHEMA public CASCADE; CREATE SCHEMA public")
            }
        }
    }

    /// Opens the victim's connections and runs the operation, in a new thread.
    private func act(_ number: Int, stopBehind boundary: Int?) -> Victim {
        let victim = Victim()
        Thread.detachNewThread { [self] in
            let isDone = (try? openAndAct(number, stopBehind: boundary)) != nil
            victim.result.withLock { $0 = isDone }
        }
        return victim
    }

    private func openAndAct(_ number: Int, stopBehind boundary: Int?) throws {
        // `openDatabase` also migrates.
        if lane.operation == .migration { proxy.arm(lane.direction, lane.stop, behind: boundary) }
        let database = try openDatabase(uriThroughProxy, isPatient: boundary == nil)
        defer { database.close() }
        guard lane.operation != .migration else { return }
        proxy.arm(lane.direction, lane.stop, behind: boundary)
        try act(number, as: "victim", on: Workbench.store(on: database, .node("victim-\(number)")))
    }

    private func act(_ number: Int, as name: String, on store: Store) throws {
        switch lane.operation {
        case .publish:
            let change = SetChange(
                version: try version("1.0"), audience: .default,
                action: .publish(try shortcutSet("a", title: "\(name) \(number)")), writeCondition: .none, consent: .none(override: nil))
            _ = try store.publish(change, of: app, by: author(at: 1000, "\(name)-\(number)"))
        case .claim: _ = try store.claimDue(at: 9000, limit: 2, perEndpoint: 8, lease: 60_000)
        case .heartbeat: try store.heartbeat(at: Timestamp(milliseconds: 1000 + Int64(number)))
        case .schedule: while try store.fireNextDue(at: 9000) != nil {}
        case .migration: break
        }
    }

    private struct Problem: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Runs the operation on the other node. A write that gets 503 is repeated, as clients do.
    /// - Returns: the number of repetitions.
    private func goOn(_ number: Int, until end: ContinuousClock.Instant) throws -> Int {
        var calls = [{ try act(number, as: "other", on: other) }]
        switch lane.operation {
        case .migration: calls = [{ try openDatabase(try #require(bench.heard.uri)).close() }]
        case .publish: break
        // They do not need the writers' lock.
        case .claim, .heartbeat, .schedule: calls.append { try other.makeApp("com.example.n\(number)") }
        }
        var repetitions = 0
        for call in calls {
            while true {
                do {
                    try call()
                    break
                } catch let failure as Failure where failure.code == .storageUnavailable && .now < end {
                    repetitions += 1
                }
            }
        }
        return repetitions
    }

    // MARK: - The checks

    private func expect(_ condition: Bool, _ sentence: String) throws {
        guard condition else { throw Problem(sentence) }
    }

    private func check(_ number: Int, isDone: Bool) throws {
        switch lane.operation {
        case .publish:
            let published = try other.count("revisions", where: "published_by = 'victim-\(number)'")
            try expect(isDone ? published == 1 : published <= 1, "published \(published) times, acknowledged: \(isDone)")
            let others = try other.count("revisions", where: "published_by = 'other-\(number)'")
            try expect(number == 0 || others == 1, "the other node's menu was published \(others) times")
            let last = try other.count("revisions", where: "number > (SELECT COUNT(*) FROM revisions)")
            try expect(last == 0, "the numbers have a gap")
        case .claim:
            let held = try other.count("deliveries", where: "lease_node = 'id-victim-\(number)'")
            try expect(held == 2 || held == 0 && !isDone, "the victim has claimed \(held), acknowledged: \(isDone)")
            let others = try other.count("deliveries", where: "lease_node = 'id-other'")
            try expect(others == (number == 0 ? 0 : 2), "the other node's claim holds \(others)")
            // The victim is not in the list of nodes, as if it were dead for 15 seconds.
            try other.releaseAbandonedLeases(at: 9000)
            // A claim skips rows that the victim's transaction holds until PostgreSQL has rolled it back.
            var rest = 0
            let end = ContinuousClock.now + SilenceTests.bound
            while rest < 4 - others, .now < end { rest += try other.claimDue(at: 9000, limit: 8, perEndpoint: 8, lease: 60_000).count }
            try expect(rest == 4 - others, "of the other deliveries \(rest) can be claimed")
        case .heartbeat:
            try expect(try other.count("nodes", where: "name = 'victim-\(number)'") <= 1, "listed twice")
            if isDone { try expect(try other.count("nodes", where: "name = 'victim-\(number)'") == 1, "not listed") }
        case .schedule:
            try expect(try other.count("schedule") == 0, "an entry is left")
            try expect(try other.count("revisions", where: "published_by = 'victim-\(number)'") == 1, "not published once")
        case .migration:
            let database = try openDatabase(try #require(bench.heard.uri), isPatient: true)
            defer { database.close() }
            let applied = try database.read { connection throws(Failure) in
                try connection.first("SELECT COUNT(*) FROM schema_migrations", [], as: Int.self)
            }
            try expect(applied == PostgresDatabase.migrations.count, "a migration is missing")
        }
    }
}
