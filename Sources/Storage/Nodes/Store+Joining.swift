import Foundation
import QuickActions
import SQL
import Shortcuts

extension Store {
    /// Registers the node among those that share the database. Called before the first claim. If a process with the same name had a recent
    /// heartbeat, it waits up to `patience` to find out whether that process still lives.
    /// - Throws: `nodeInUse` if it does.
    package func join(patience: Duration = .seconds(5)) throws(OpeningRefusal) {
        guard isShared else { return }
        let hasJoined: Bool
        do throws(Failure) {
            hasJoined = try register(patience: patience)
        } catch {
            throw OpeningRefusal(.cannotOpen, "The node cannot be registered in the database: \(error.detail)", cause: error.cause)
        }
        guard hasJoined else {
            throw OpeningRefusal(
                .nodeInUse,
                "Another process already uses the node name \(quoted(configuration.node.name)). Give each process its own --node, or stop "
                    + "that process.")
        }
    }

    /// - Returns: false if a process with the node's name lives.
    private func register(patience: Duration) throws(Failure) -> Bool {
        /// The processes with the name that were watched and are dead, with their last heartbeats.
        var dead: [String: Timestamp] = [:]
        while true {
            let seen = try registerUnlessSeen(besides: dead)
            if seen.isEmpty { return true }
            dead.merge(seen) { _, new in new }
            if try isAnyAlive(of: dead, patience: patience) { return false }
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
    private func isAnyAlive(of others: [String: Timestamp], patience: Duration) throws(Failure) -> Bool {
        let oldest = others.values.min() ?? Timestamp(milliseconds: 0)
        let deadline = ContinuousClock.now + patience
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
