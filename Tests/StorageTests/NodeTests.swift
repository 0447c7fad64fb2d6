import Foundation
import QuickActions
import Shortcuts
import Synchronization
import Testing

@testable import Storage

/// Several stores on one database act as several nodes.
@Suite(.eachEngine, .namingEngine) struct NodeTests {
    private let bench: Workbench
    private let (one, other): (Store, Store)

    init() throws {
        bench = try Workbench(.node("one"))
        one = bench.store
        other = try bench.reopened(.node("other"))
    }

    private func makeEndpoint(_ id: EndpointID = "a", pings: Int, ordered: Bool = false) throws {
        try one.createEndpoint(endpoint(id, ordered: ordered), by: author())
        for _ in 0..<pings { _ = try one.ping(id, by: author()) }
    }

    private func claim(
        _ store: Store, at now: Timestamp, limit: Int = 100, perEndpoint: Int = 8, ahead: Int? = nil
    ) throws -> [ClaimedDelivery] {
        try store.claimDue(at: now, limit: limit, perEndpoint: perEndpoint, ahead: ahead ?? perEndpoint, lease: 60_000)
    }

    private func leases(of node: String? = nil) throws -> Int {
        try one.count("deliveries", where: "lease_token IS NOT NULL" + (node.map { " AND lease_node = 'id-\($0)'" } ?? ""))
    }

    @Test func `a node that starts leaves leases alone, since the database may have been away from all who live`() throws {
        try makeEndpoint(pings: 2)
        try one.heartbeat(at: 1000)
        #expect(try claim(one, at: 1000).count == 2)
        // It starts after an outage.
        for time in [40_000, 48_000, 54_999] as [Timestamp] {
            try other.heartbeat(at: time)
            try other.releaseAbandonedLeases(at: time)
            #expect(try leases(of: "one") == 2)
        }
        try other.heartbeat(at: 55_000)
        #expect(try leases() == 0)
    }

    @Test func `what a node that was not seen for 15 seconds held is free, its dispatchers are woken and it leaves the list`() throws {
        try makeEndpoint(pings: 2)
        try one.heartbeat(at: 1000)
        let claimed = try claim(one, at: 1000)
        for time in stride(from: 1000, to: 16_000, by: 2000) { try other.heartbeat(at: Timestamp(milliseconds: Int64(time))) }
        #expect(try leases() == 2)
        let woken = bench.heard.queued.withLock(\.self)
        try other.heartbeat(at: 16_000)
        #expect(try leases() == 0)
        #expect(bench.heard.queued.withLock(\.self) > woken)
        #expect(try other.nodes().map(\.name) == ["one", "other"])
        for time in [18_000, 20_000, 21_000] as [Timestamp] { try other.heartbeat(at: time) }
        #expect(try other.nodes().map(\.name) == ["other"])
        // The outcomes of the previous node arrive too late.
        try one.record(claimed.map { $0.outcome(.delivered, at: 21_000) }, at: 21_000, disableAfter: .max)
        #expect(try one.states(of: "a") == ["pending", "pending"])
        #expect(try one.count("attempts") == 0)
    }

    @Test func `the leases of a node that is not listed are void`() throws {
        try makeEndpoint(pings: 1)
        _ = try claim(one, at: 1000)
        try other.releaseAbandonedLeases(at: 1500)
        #expect(try leases() == 0)
    }

    @Test func `a node ends a lease of its own that it does not know: a crash of the database took the outcome`() throws {
        try makeEndpoint(pings: 3, ordered: true)
        try one.heartbeat(at: 1000)
        let delivered = try claim(one, at: 1000)
        try one.record(delivered.map { $0.outcome(.delivered, at: 1000) }, at: 1000, disableAfter: .max)
        // A commit without an fsync is lost.
        _ = try one.database.writeUnsynced(.free) { connection throws(Failure) in
            try connection.execute(
                """
                UPDATE deliveries SET state = 'pending', next_attempt_at = 1000, lease_token = ?, lease_node = 'id-one', lease_expires_at = 61000
                WHERE id = ?
                """, [.text(delivered[0].leaseToken), SQLValue(delivered[0].id)])
        }
        #expect(try claim(other, at: 1500).isEmpty)
        #expect(try claim(one, at: 1500).map(\.id) == delivered.map(\.id))
    }

    @Test func `only its own node ends a lease that has expired`() throws {
        try makeEndpoint(pings: 1)
        try one.heartbeat(at: 1000)
        _ = try one.claimDue(at: 1000, limit: 1, perEndpoint: 8, lease: 500)
        #expect(try claim(other, at: 9000).isEmpty)
        #expect(try claim(one, at: 9000).count == 1)
    }

    @Test func `a heartbeat renews the leases that have used up half of their length`() throws {
        try makeEndpoint(pings: 1)
        try one.heartbeat(at: 1000)
        let claimed = try claim(one, at: 1000)
        try one.heartbeat(at: 30_999)
        #expect(try one.count("deliveries", where: "lease_expires_at = 61000") == 1)
        try one.heartbeat(at: 31_001)
        #expect(try one.count("deliveries", where: "lease_expires_at = 91001") == 1)
        try one.record([claimed[0].outcome(.delivered, at: 80_000)], at: 80_000, disableAfter: .max)
        #expect(try one.states(of: "a") == ["delivered"])
    }

    @Test func `a node that was out of touch gives the others time before it takes them for dead`() throws {
        try makeEndpoint(pings: 1)
        for store in [one, other] { try store.heartbeat(at: 1000) }
        _ = try claim(one, at: 1000)
        // None of the nodes could reach the database.
        try other.heartbeat(at: 60_000)
        #expect(try leases() == 1)
        try one.heartbeat(at: 61_000)
        for time in stride(from: 62_000, through: 74_000, by: 2000) { try other.heartbeat(at: Timestamp(milliseconds: Int64(time))) }
        try other.heartbeat(at: 75_500)
        #expect(try leases() == 1)
        try other.heartbeat(at: 76_000)
        #expect(try leases() == 0)
    }

    @Test func `a node that was out of touch is seen before it claims`() throws {
        try makeEndpoint(pings: 1)
        try one.heartbeat(at: 1000)
        for time in [12_000, 21_000, 30_000] as [Timestamp] { try other.heartbeat(at: time) }
        #expect(try other.nodes().map(\.name) == ["other"])
        #expect(try claim(one, at: 31_000).count == 1)
        try other.heartbeat(at: 32_000)
        #expect(try leases(of: "one") == 1)
    }

    @Test func `a node that leaves gives back what it holds and is off the list`() throws {
        try makeEndpoint(pings: 2)
        for store in [one, other] { try store.heartbeat(at: 1000) }
        _ = try claim(one, at: 1000)
        let woken = bench.heard.queued.withLock(\.self)
        try one.leave(at: 2000)
        try one.heartbeat(at: 3000)
        #expect(bench.heard.queued.withLock(\.self) > woken)
        #expect(try other.nodes().map(\.name) == ["other"])
        #expect(try claim(other, at: 2000).count == 2)
    }

    @Test func `eight deliveries to an endpoint are in flight, whoever claims`() throws {
        try makeEndpoint(pings: 40)
        for store in [one, other] { try store.heartbeat(at: 1000) }
        let first = try claim(one, at: 1000, limit: 3)
        #expect(try claim(other, at: 1000).count == 5)
        #expect(try claim(other, at: 1000).isEmpty)
        // Other nodes have at least half of the leases, so this node claims elsewhere.
        try one.record(first.map { $0.outcome(.delivered, at: 1000) }, at: 1000, disableAfter: .max)
        #expect(try claim(one, at: 1000).isEmpty)
        // Only the other node delivers to the endpoint, so it may claim ahead.
        #expect(try claim(other, at: 1000, ahead: 20).count == 15)
        #expect(try claim(one, at: 1000, ahead: 20).isEmpty)
    }

    @Test func `an ordered endpoint has one attempt in flight, in the order of commits`() throws {
        try makeEndpoint(pings: 6, ordered: true)
        for store in [one, other] { try store.heartbeat(at: 1000) }
        var sent: [DeliveryID] = []
        for turn in 0..<6 {
            let (mine, theirs) = turn.isMultiple(of: 2) ? (one, other) : (other, one)
            let claimed = try #require(try claim(mine, at: 1000).first)
            #expect(try claim(theirs, at: 1000).isEmpty)
            sent.append(claimed.id)
            try mine.record([claimed.outcome(.delivered, at: 1000)], at: 1000, disableAfter: .max)
        }
        let committed = try one.database.read { connection throws(Failure) in
            try connection.rows("SELECT id FROM deliveries ORDER BY sequence", [], as: DeliveryID.self)
        }
        #expect(sent == committed)
    }

    @Test func `nodes that claim and record at once send each delivery once`() async throws {
        for id in ["a", "b", "c"] as [EndpointID] { try makeEndpoint(id, pings: 60, ordered: id == "c") }
        let stores = [one, other, try bench.reopened(.node("third"))]
        for store in stores { try store.heartbeat(at: 1000) }
        let sent = Sent()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask { try Self.deliver(180, from: store, sent) }
            }
            try await group.waitForAll()
        }
        #expect(sent.ids.withLock { Set($0).count } == 180)
        #expect(sent.ids.withLock(\.count) == 180)
        #expect(sent.mostInFlight.withLock { $0 } == ["a": 8, "b": 8, "c": 1])
        #expect(try one.count("deliveries", where: "state = 'delivered'") == 180)
    }

    /// The deliveries that several nodes sent.
    private final class Sent: Sendable {
        let ids = Mutex<[DeliveryID]>([])
        let inFlight = Mutex<[EndpointID: Int]>([:])
        let mostInFlight = Mutex<[EndpointID: Int]>([:])
    }

    private static func deliver(_ count: Int, from store: Store, _ sent: Sent) throws {
        while sent.ids.withLock(\.count) < count {
            let claimed = try store.claimDue(at: 2000, limit: 20, perEndpoint: 8, ahead: 8, lease: 60_000)
            for delivery in claimed {
                let id = delivery.endpoint.id
                let inFlight = sent.inFlight.withLock { counts in
                    counts[id, default: 0] += 1
                    return counts[id] ?? 0
                }
                sent.mostInFlight.withLock { $0[id] = max($0[id] ?? 0, inFlight) }
                sent.ids.withLock { $0.append(delivery.id) }
            }
            for delivery in claimed { sent.inFlight.withLock { $0[delivery.endpoint.id, default: 0] -= 1 } }
            try store.record(claimed.map { $0.outcome(.delivered, at: 2000) }, at: 2000, disableAfter: .max)
        }
    }

    @Test func `owners change endpoints while outcomes are recorded, and no two transactions wait for each other`() async throws {
        for id in ["a", "b"] as [EndpointID] { try makeEndpoint(id, pings: 60) }
        for store in [one, other] { try store.heartbeat(at: 1000) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in [one, other] {
                group.addTask {
                    for turn in 0..<40 {
                        let claimed = try store.claimDue(at: 9000, limit: 16, perEndpoint: 8, ahead: 8, lease: 60_000)
                        let outcomes = claimed.enumerated().map { index, delivery in
                            delivery.outcome(index % 3 == turn % 3 ? .retry(at: 9000) : .delivered, at: 9000)
                        }
                        try store.record(outcomes.reversed(), at: 9000, disableAfter: .max)
                    }
                }
            }
            group.addTask { [one] in
                for turn in 0..<40 {
                    let id: EndpointID = turn.isMultiple(of: 2) ? "a" : "b"
                    _ = try one.updateEndpoint(id, isEnabling: true, by: author(at: 9000)) { previous throws(Failure) in
                        var changed = previous
                        changed.setEnabled(turn % 4 > 1, at: 9000)
                        return changed
                    }
                    _ = try one.recover(id, since: nil, by: author(at: 9000))
                }
            }
            try await group.waitForAll()
        }
        guard bench.engine == .postgres else { return }
        let deadlocks = try one.database.read { connection throws(Failure) in
            try connection.first("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()", [], as: Int64.self)
        }
        #expect(deadlocks == 0)
    }

    @Test func `a name is one node's while it lives`() throws {
        try one.join()
        let second = try bench.reopened(.node("one", id: "second"))
        let refusal = whileAlive(one) { #expect(throws: OpeningError.self) { try second.join(timeout: .seconds(60)) } }
        #expect(refusal?.code == .nodeInUse && refusal?.description.contains("Another process already uses the node name") == true)
        try second.join(timeout: .milliseconds(300))
        #expect(try second.nodes().map(\.name) == ["one", "one"])
    }

    /// Seconds since each earlier process with the name was last seen.
    @Test(arguments: [[3], [3, 16], [3, 17, 19], [1, 4, 9, 14, 16, 19]])
    func `a name is free once all of its processes are dead, however many of them are still listed`(_ ages: [Int64]) throws {
        let now = one.clock.now()
        for age in ages {
            _ = try one.database.writeUnsynced(.free) { connection throws(Failure) in
                try connection.execute(
                    """
                    INSERT INTO nodes (id, name, version, started_at, seen_at, clock_offset_ms, changes_behind)
                    VALUES (?, 'one', '0.0.0', 0, ?, 0, 0)
                    """, [.text("dead-\(age)"), SQLValue(now.adding(-1000 * age))])
            }
        }
        try one.join(timeout: .milliseconds(300))
        #expect(try one.nodes().count == ages.count + 1)
    }

    @Test func `a name whose previous process died a moment ago is not free while another process of it lives`() throws {
        let second = try bench.reopened(.node("one", id: "second"))
        try second.join()
        let third = try bench.reopened(.node("one", id: "third"))
        let refusal = whileAlive(second) { #expect(throws: OpeningError.self) { try third.join(timeout: .seconds(60)) } }
        #expect(refusal?.code == .nodeInUse)
    }

    /// Runs `body` while the node sends one heartbeat after another.
    private func whileAlive<Result>(_ store: Store, _ body: () throws -> Result) rethrows -> Result {
        let goesOn = Atomic(true)
        let ended = DispatchSemaphore(value: 0)
        // The clock of these tests stands still.
        let start = store.clock.now()
        Thread.detachNewThread {
            var beats: Int64 = 0
            while goesOn.load(ordering: .relaxed) {
                beats += 1
                try? store.heartbeat(at: start.adding(beats))
                usleep(1000)
            }
            ended.signal()
        }
        defer {
            goesOn.store(false, ordering: .relaxed)
            ended.wait()
        }
        return try body()
    }

    @Test func `a name is free at once where its node has left`() throws {
        try one.join()
        try one.leave(at: one.clock.now())
        try bench.reopened(.node("one", id: "second")).join(timeout: .seconds(60))
        #expect(try other.nodes().map(\.name) == ["one"])
    }

    @Test func `a database of one process lists that process and is not written for it`() throws {
        var configuration = Store.Configuration.node("alone")
        configuration.isShared = false
        let bench = try Workbench(configuration)
        try bench.store.join()
        try bench.store.heartbeat(at: 1000)
        #expect(try bench.store.count("nodes") == 0)
        #expect(try bench.store.nodes().map(\.name) == ["alone"])
    }
}

extension Store.Configuration {
    /// A node that shares its database.
    static func node(_ name: String, id: String? = nil) -> Store.Configuration {
        var configuration = Store.Configuration()
        configuration.node = Store.Node(id: id ?? "id-\(name)", name: name, version: "0.0.0")
        configuration.isShared = true
        return configuration
    }
}
