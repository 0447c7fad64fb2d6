import Foundation
import QuickActions
import Shortcuts
import Synchronization
import TestPostgres
import Testing

@testable import Storage
@testable import StoragePostgres

/// The connections of a node are cut, become silent, or answer late, at any message of an operation: another node goes on, nothing is lost
/// or done twice, the node's calls end within their limits, and no later call gets an answer of an earlier one. With PostgreSQL, and with
/// shorter time limits. Only the long forms measure the limits.
///
/// `make cuts` sets LONGPRESS_CUTS to the lanes to run (`all`, or the beginning of a name) and LONGPRESS_CUTS_AT to a single boundary.
@Suite(.enabled(if: (try? PostgresServer.shared().socketPath) != nil, "the server is not the tests' own")) struct SilenceTests {
    struct Lane: Sendable, CustomStringConvertible {
        let operation: CutOperation
        let isPooled: Bool
        let direction: MessageProxy.Direction
        let stop: MessageProxy.Stop
        let first, step: Int

        var description: String { step == 1 ? name : "\(name), part \(first + 1) of \(step)" }

        var name: String {
            "\(operation)\(isPooled ? " through PgBouncer" : ""), \(direction == .toServer ? "to the server" : "from the server"), \(stop.name)"
        }

        static let all: [Lane] = {
            let operations = isEveryOne ? CutOperation.all : CutOperation.few
            let stops: [MessageProxy.Stop] =
                isEveryOne ? [.closing, .resetting, .silently, .halfway, .late(Limits(scale: scale).write * 2)] : [.silently, .closing]
            let pooled = isEveryOne && pooler != nil ? CutOperation.few.filter { !$0.isOpening } : []
            let lanes = (operations.map { ($0, false) } + pooled.map { ($0, true) }).flatMap { operation, isPooled in
                MessageProxy.Direction.allCases.flatMap { direction in
                    stops.flatMap { stop in
                        // Those with the most messages have parts.
                        let parts = only != nil || !isLong ? 1 : operation.isLarge ? 8 : isEveryOne ? 2 : 1
                        return (0..<parts).map {
                            Lane(operation: operation, isPooled: isPooled, direction: direction, stop: stop, first: $0, step: parts)
                        }
                    }
                }
            }
            return lanes.filter { lane in wanted.map { $0 == "all" || lane.name.hasPrefix($0) } ?? true }
        }()
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let wanted = environment["LONGPRESS_CUTS"]
    /// True for make cuts.
    static let isEveryOne = wanted != nil
    /// True for make test-cluster and make cuts: every boundary, with measurements.
    static let isLong = isEveryOne || environment["LONGPRESS_CLUSTER"] == "long"
    static let only = environment["LONGPRESS_CUTS_AT"].flatMap { Int($0) }
    /// The path of PgBouncer; nil without it.
    static let pooler = environment["LONGPRESS_PGBOUNCER"]
    static let scale = isEveryOne ? 0.1 : 0.3
    static let bound = isLong ? Duration.seconds(10) * scale : .seconds(60)
    /// What the machine adds, which runs many lanes at once, and 5 s to read an app for the first time, which are not shortened.
    static let slack = Duration.seconds(isEveryOne ? 9 : 1)
    static let turns = DispatchSemaphore(value: 16)

    @Test(arguments: Lane.all) func `another node goes on wherever one stops`(lane: Lane) async throws {
        // In a separate thread, because it mostly waits.
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                Self.turns.wait()
                defer { Self.turns.signal() }
                continuation.resume(returning: Result { try LaneRun(lane).run() })
            }
        }
        let figures = try result.get()
        if Self.isLong { figures.tell(of: lane) }
        #expect(figures.problems == [])
        #expect(figures.stops >= (Self.only == nil ? 1 : 0))
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

    /// Such as a node that froze while it waited for another lock. Behind a savepoint, an error releases no lock.
    @Test func `a writer gets the lock of a node that was silent since an error`() throws {
        let limits = Limits(scale: Self.scale)
        let bench = try Workbench(.node("bench"), on: .postgres)
        let other = try bench.reopened(.node("other")) { $0.limits = limits }
        let (isLocked, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? bench.store.database.transaction { connection throws(Failure) in
                try connection.execute(AdvisoryLock.writers.statement, [])
                try connection.execute("SAVEPOINT here", [])
                isLocked.signal()
                Thread.sleep(forTimeInterval: limits.lock * 0.9 / .seconds(1))
                _ = try? connection.execute("SELECT 1 / 0", [])
                isOver.wait()
            }
        }
        isLocked.wait()
        defer { isOver.signal() }
        try other.makeApp()
    }

    @Test func `writers that wait for another node leave a connection to fetches`() throws {
        let bench = try Workbench(.node("bench"), on: .postgres)
        let app = try bench.store.makeApp()
        let other = try bench.reopened(.node("other")) { $0.connections = 2 }
        let (isLocked, isOver, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        Thread.detachNewThread {
            try? bench.store.database.transaction { connection throws(Failure) in
                try connection.execute(AdvisoryLock.writers.statement, [])
                isLocked.signal()
                isOver.wait()
            }
        }
        isLocked.wait()
        let writes: [@Sendable () throws -> Void] = [
            { try other.makeApp("com.example.other") }, { try other.database.writeAlone(isBulk: false, { _ in }, committed: {}) },
        ]
        for write in writes {
            hasEnded.enter()
            Thread.detachNewThread {
                #expect(throws: Never.self) { try write() }
                hasEnded.leave()
            }
        }
        Thread.sleep(forTimeInterval: 0.2)
        let start = ContinuousClock.now
        #expect(try other.snapshot(of: app) != nil)
        #expect(start.duration(to: .now) < .seconds(2))
        isOver.signal()
        hasEnded.wait()
    }

    /// In the middle of the transactions that look for missing migrations.
    @Test func `a start ends when the server stops answering`() throws {
        let stage = try CutStage()
        let proxy = try MessageProxy(before: try #require(try PostgresServer.shared().socketPath))
        defer { proxy.end() }
        let hasEnded = DispatchSemaphore(value: 0)
        try stage.openDatabase(stage.uri(through: proxy), isPatient: true).close()
        proxy.arm(.toClient, .silently, behind: proxy.count(.toClient) / 2)
        Thread.detachNewThread {
            #expect(throws: OpeningError.self) { try stage.openDatabase(stage.uri(through: proxy)) }
            hasEnded.signal()
        }
        #expect(hasEnded.wait(timeout: .now() + 60) == .success)
        #expect(proxy.isStopped)
    }
}

extension MessageProxy.Stop {
    var name: String {
        switch self {
        case .silently: "silence"
        case .closing: "close"
        case .resetting: "reset"
        case .halfway: "half a message"
        case .late: "a late message"
        }
    }

    /// Whether the connections hang instead of ending.
    fileprivate var hangs: Bool { self != .closing && self != .resetting }
}

private struct Figures {
    var stops = 0
    /// The repetitions of the other node's writes.
    var repetitions = 0
    var longestWait = Duration.zero
    /// The longest time until the call ends on the node that cannot reach the database.
    var longestCall = Duration.zero
    var problems: [String] = []
    /// The boundaries that did not hold.
    var broken: Set<Int> = []

    func tell(of lane: SilenceTests.Lane) {
        let lines = ["cuts: \(lane): \(stops - broken.count) of \(stops) boundaries held, others waited \(longestWait), it \(longestCall)"]
        FileHandle.standardError.write(Data(((problems + lines).joined(separator: "\n") + "\n").utf8))
    }
}

/// Runs one operation, stopped after one message after the other.
private struct LaneRun {
    let lane: SilenceTests.Lane
    let stage: CutStage
    let proxy: MessageProxy

    init(_ lane: SilenceTests.Lane) throws {
        self.lane = lane
        stage = try CutStage()
        let direct = try PostgresServer.shared().socketPath
        let pooled = try lane.isPooled ? SilenceTests.pooler.map { try Pooler.shared($0).socketPath } : nil
        proxy = try MessageProxy(before: try #require(pooled ?? direct))
    }

    func run() throws -> Figures {
        defer { proxy.end() }
        try lane.operation.prepare(0, stage)
        let beginning = ContinuousClock.now
        let good = act(0, stopAt: nil)
        let isDone = good.wait()
        good.close()
        // Only the time limits are shorter, not the work.
        let work = beginning.duration(to: .now)
        let count = proxy.count(lane.direction)
        try lane.operation.check(0, isDone: isDone, stage)
        var figures = Figures()
        let step = SilenceTests.isLong ? lane.step : max(1, count / 3)
        var (number, boundary, isStopped) = (0, SilenceTests.only ?? lane.first, true)
        // A run may need a few messages more than the first one.
        while boundary <= count || isStopped {
            number += 1
            defer { boundary += lane.operation.repeats(boundary, of: count) ? step * 13 : step }
            do {
                isStopped = try stop(at: boundary, number, work: work, &figures)
            } catch {
                figures.broken.insert(boundary)
                figures.problems.append("make cuts CASE=\"postgres: \(lane.name): \(boundary)\"   of \(count) messages: \(error)")
            }
            if SilenceTests.only != nil { break }
        }
        return figures
    }

    /// - Returns: whether the boundary was reached.
    private func stop(at boundary: Int, _ number: Int, work: Duration, _ figures: inout Figures) throws -> Bool {
        try lane.operation.prepare(number, stage)
        let victim = act(number, stopAt: boundary)
        defer { victim.close() }
        while !proxy.isStopped, !victim.isOver { Thread.sleep(forTimeInterval: 0.002) }
        let isStopped = proxy.isStopped
        figures.stops += isStopped ? 1 : 0
        let start = ContinuousClock.now
        let bound = SilenceTests.bound + work
        let result = Result { figures.repetitions += try goOn(number, until: start + bound + SilenceTests.slack) }
        let waited = start.duration(to: .now)
        var overdue = false
        if SilenceTests.isEveryOne, isStopped, lane.stop.hangs, let limit = lane.operation.limit {
            let end = start + limit * SilenceTests.scale + work + SilenceTests.slack
            while !victim.isOver, .now < end { Thread.sleep(forTimeInterval: 0.002) }
            overdue = !victim.isOver
            figures.longestCall = max(figures.longestCall, start.duration(to: .now))
        }
        proxy.recover()
        let isDone = victim.wait()
        figures.longestWait = max(figures.longestWait, waited)
        try result.get()
        try victim.checkConnections()
        if lane.operation.preparation == .serve { try victim.checkFollowing() }
        try lane.operation.check(number, isDone: isDone, stage)
        try CutProblem.expect(waited <= bound + SilenceTests.slack, "the other node waited \(waited)")
        try CutProblem.expect(!overdue, "the call did not end within its limit")
        return isStopped
    }

    /// Opens the victim's connections and runs the operation, in a new thread.
    private func act(_ number: Int, stopAt boundary: Int?) -> CutVictim {
        let victim = CutVictim(number)
        Thread.detachNewThread { [self] in
            do {
                try openAndAct(victim, stopAt: boundary)
                victim.end(isDone: true)
            } catch {
                victim.end(isDone: false)
            }
        }
        return victim
    }

    private func openAndAct(_ victim: CutVictim, stopAt boundary: Int?) throws {
        if lane.operation.isOpening { proxy.arm(lane.direction, lane.stop, behind: boundary) }
        let database = try stage.openDatabase(
            stage.uri(through: proxy), isPatient: boundary == nil, for: lane.operation.preparation, node: "victim-\(victim.number)",
            isPooled: lane.isPooled)
        victim.open(database)
        if !lane.operation.isOpening { proxy.arm(lane.direction, lane.stop, behind: boundary) }
        try lane.operation.act(victim.number, as: "victim", on: try victim.store(), stage)
    }

    /// Runs the operation on the other node. A write that gets 503 is repeated, as clients do.
    /// - Returns: the number of repetitions.
    private func goOn(_ number: Int, until end: ContinuousClock.Instant) throws -> Int {
        var repetitions = 0
        for call in lane.operation.callsOfOthers(number, stage) {
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
}
