import QuickActions
import SQL
import Shortcuts

extension Store: NodeStore {
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
