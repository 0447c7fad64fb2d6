import QuickActions

/// A process that serves from the store, as it last described itself there.
package struct Node: Sendable, Equatable {
    /// The value of `--node`.
    package let name: String
    /// The version of Longpress, such as 0.2.0.
    package let version: String
    package let startedAt: Timestamp
    /// By the database's clock, like `startedAt`.
    package let seenAt: Timestamp
    /// The database's clock minus the node's clock, as last measured by the node.
    package let clockOffsetMilliseconds: Int64
    /// The number of committed changes that it had not seen yet.
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
