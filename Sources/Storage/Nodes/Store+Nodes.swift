import Foundation
import QuickActions
import Shortcuts

extension Store {
    package func nodes() throws(Failure) -> [Shortcuts.Node] {
        guard isShared else {
            let node = configuration.node
            return [
                Shortcuts.Node(
                    name: node.name, version: node.version, startedAt: membership.startedAt, seenAt: clock.now(),
                    clockOffsetMilliseconds: 0, changesBehind: 0)
            ]
        }
        return try database.read { connection throws(Failure) in
            try connection.rows(
                "SELECT name, version, started_at, seen_at, clock_offset_ms, changes_behind FROM nodes ORDER BY name, started_at, id", [],
                as: Shortcuts.Node.self)
        }
    }
}

extension Shortcuts.Node: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            name: try row.read(), version: try row.read(), startedAt: try row.read(), seenAt: try row.read(),
            clockOffsetMilliseconds: try row.read(), changesBehind: try row.read())
    }
}

extension Store {
    /// Registers the node among those that share the database. Called before the first claim. If a process with the same name had a recent
    /// heartbeat, it waits up to `timeout` to find out whether that process still lives.
    /// - Throws: `nodeInUse` if it does.
    package func join(timeout: Duration = .seconds(5)) throws(OpeningError) {
        guard isShared else { return }
        let hasJoined: Bool
        do throws(Failure) {
            hasJoined = try register(timeout: timeout)
        } catch {
            throw OpeningError(.cannotOpen, "The node cannot be registered in the database: \(error.detail)", cause: error.cause)
        }
        guard hasJoined else {
            throw OpeningError(
                .nodeInUse,
                "Another process already uses the node name \(quoted(configuration.node.name)). Give each process its own --node, or stop "
                    + "that process.")
        }
    }

    /// - Returns: false if a process with the node's name lives.
    private func register(timeout: Duration) throws(Failure) -> Bool {
        /// The processes with the name that were watched and are dead, with their last heartbeats.
        var dead: [String: Timestamp] = [:]
        while true {
            let seen = try registerUnlessSeen(besides: dead)
            if seen.isEmpty { return true }
            dead.merge(seen) { _, new in new }
            if try isAnyAlive(of: dead, timeout: timeout) { return false }
        }
    }

    /// Registers the node unless a process with its name may live.
    /// - Returns: the ids of processes that may live, with their last heartbeats.
    private func registerUnlessSeen(besides dead: [String: Timestamp]) throws(Failure) -> [String: Timestamp] {
        let now = clock.now()
        let others = try database.write { connection throws(Failure) in
            let others = try connection.namesakes(of: configuration.node, seenAfter: now.adding(-Node.silence))
                .filter { dead[$0.key] != $0.value }
            if others.isEmpty { try register(at: now, changesBehind: 0, on: connection) }
            return others
        }
        if others.isEmpty { _ = membership.noteHeartbeat(at: now) }
        return others
    }

    /// Whether a process with the node's name sends a new heartbeat, or a new process with that name appears. A row older than all of
    /// `others` belongs to a process that died before them and is still listed.
    private func isAnyAlive(of others: [String: Timestamp], timeout: Duration) throws(Failure) -> Bool {
        let oldest = others.values.min() ?? Timestamp(milliseconds: 0)
        let deadline = ContinuousClock.now + timeout
        while ContinuousClock.now < deadline {
            Thread.sleep(forTimeInterval: 0.1)
            let listed = try database.read { connection throws(Failure) in
                try connection.namesakes(of: configuration.node, seenAfter: oldest.adding(-1))
            }
            if listed.contains(where: { id, seenAt in others[id].map { $0 != seenAt } ?? (seenAt > oldest) }) { return true }
            if listed.isEmpty { return false }
        }
        return false
    }
}

extension SQLConnection {
    /// Other processes with the node's name, with their last heartbeats.
    fileprivate func namesakes(of node: Store.Node, seenAfter time: Timestamp) throws(Failure) -> [String: Timestamp] {
        let rows = try rows(
            "SELECT id, seen_at FROM nodes WHERE name = ? AND id <> ? AND seen_at > ?",
            [.text(node.name), .text(node.id), SQLValue(time)]
        ) { row throws(Failure) in (try row.text(), try row.read(Timestamp.self)) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}

extension Store {
    /// Whether other nodes may use the database. A database that is not shared has no heartbeats.
    package var isShared: Bool { configuration.isShared }

    /// Sends a heartbeat and renews the node's leases. Then releases the deliveries of nodes without a heartbeat for 15 seconds, and wakes
    /// the dispatchers of all nodes for them. Called every two seconds (`Node.heartbeatInterval`), on any thread.
    package func heartbeat(at now: Timestamp) throws(Failure) {
        guard isShared, !membership.hasLeft else { return }
        let changesBehind = try database.changesBehind()
        let others = try database.writeUnsynced(.free) { connection throws(Failure) in
            try register(at: now, changesBehind: changesBehind, on: connection)
            try connection.renewLeases(of: configuration.node, length: membership.leaseLength, at: now)
            return try connection.hasAbsentNodes(at: now)
        }
        guard membership.noteHeartbeat(at: now), others else { return }
        try write { transaction throws(Failure) in
            let freed = try transaction.connection.endLeasesOfAbsentNodes(besides: configuration.node, at: now)
            let removed = try transaction.connection.execute(
                "DELETE FROM nodes WHERE seen_at <= ? AND id <> ?",
                [SQLValue(now.adding(-Node.absence)), .text(configuration.node.id)])
            // Also if the removed node held no leases: only that node may have known when its next retry was due.
            if freed + removed > 0 { transaction.effects.hasQueuedDeliveries = true }
        }
    }

    /// Removes the node from the list and releases its leases. Called after its last delivery.
    package func leave(at now: Timestamp) throws(Failure) {
        guard isShared, !membership.hasLeft else { return }
        membership.leave()
        try write { transaction throws(Failure) in
            _ = try transaction.connection.endLeases(
                where: "lease_expires_at > 0 AND lease_node = ?", [.text(configuration.node.id)], lock: .waiting, at: now)
            try transaction.connection.execute("DELETE FROM nodes WHERE id = ?", [.text(configuration.node.id)])
            transaction.effects.hasQueuedDeliveries = true
        }
    }

    func register(at now: Timestamp, changesBehind: Int64, on connection: any SQLConnection) throws(Failure) {
        let (node, offset) = (configuration.node, database.clock.now().milliseconds - SystemClock().now().milliseconds)
        try connection.enqueue(
            """
            INSERT INTO nodes (id, name, version, started_at, seen_at, clock_offset_ms, changes_behind) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, clock_offset_ms = excluded.clock_offset_ms,
                changes_behind = excluded.changes_behind
            """,
            [
                .text(node.id), .text(node.name), .text(node.version), SQLValue(membership.startedAt), SQLValue(now),
                .integer(offset), .integer(changesBehind),
            ])
    }

    /// Sends a heartbeat before a claim if other nodes are about to end the leases of this one, or have ended them.
    func confirmMembership(at now: Timestamp) throws(Failure) {
        if isShared, membership.isOutOfTouch(at: now) { try heartbeat(at: now) }
    }
}

extension SQLConnection {
    /// Renews the leases that are past half of their length. A row that another transaction is writing is skipped until the next time.
    fileprivate func renewLeases(of node: Store.Node, length: Int64, at now: Timestamp) throws(Failure) {
        guard length > 0 else { return }
        try enqueue(
            """
            UPDATE deliveries SET lease_expires_at = ? WHERE sequence IN
                (SELECT sequence FROM deliveries
                 WHERE lease_token IS NOT NULL AND lease_expires_at > 0 AND lease_expires_at < ? AND lease_node = ?
                 ORDER BY sequence\(locking(.skipping)))
            """, [SQLValue(now.adding(length)), SQLValue(now.adding(length / 2)), .text(node.id)])
    }

    /// Whether a node without a heartbeat has leases to end, or a lease belongs to a node that is not listed.
    fileprivate func hasAbsentNodes(at now: Timestamp) throws(Failure) -> Bool {
        try first(
            """
            SELECT CASE WHEN EXISTS (SELECT 1 FROM nodes WHERE seen_at <= ?) OR EXISTS
                (SELECT 1 FROM deliveries d WHERE d.lease_token IS NOT NULL AND d.lease_expires_at > 0 AND d.lease_node IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = d.lease_node)) THEN 1 ELSE 0 END
            """, [SQLValue(now.adding(-Store.Node.silence))], as: Bool.self) ?? false
    }

    /// - Returns: the number of released deliveries.
    fileprivate func endLeasesOfAbsentNodes(besides node: Store.Node, at now: Timestamp) throws(Failure) -> Int {
        try endLeases(
            where: """
                lease_expires_at > 0 AND lease_node IS NOT NULL AND lease_node <> ?
                AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = deliveries.lease_node AND n.seen_at > ?)
                """, [.text(node.id), SQLValue(now.adding(-Store.Node.silence))], lock: .skipping, at: now)
    }
}
