import QuickActions
import SQL
import Shortcuts

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
