import QuickActions

/// The nodes that share the store.
package protocol NodeStore: Sendable {
    /// The living ones, by name and start; on a database of one process it is the one node.
    func nodes() throws(Failure) -> [Node]
}

/// A process that serves from the store, as it has last described itself there.
package struct Node: Sendable, Equatable {
    /// As `--node`.
    package let name: String
    /// Of Longpress, such as 0.2.0.
    package let version: String
    package let startedAt: Timestamp
    /// By the database's clock, as `startedAt`.
    package let seenAt: Timestamp
    /// The database's clock minus the node's, as the node has last measured it.
    package let clockOffsetMilliseconds: Int64
    /// How many committed changes it had not heard of yet.
    package let changesBehind: Int64

    package init(
        name: String, version: String, startedAt: Timestamp, seenAt: Timestamp, clockOffsetMilliseconds: Int64, changesBehind: Int64
    ) {
        self.name = name
        self.version = version
        self.startedAt = startedAt
        self.seenAt = seenAt
        self.clockOffsetMilliseconds = clockOffsetMilliseconds
        self.changesBehind = changesBehind
    }
}
