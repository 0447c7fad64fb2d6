/// A node's statistics of its connections to a shared database, for metrics.
package struct DatabaseStatistics: Sendable, Equatable {
    /// What a connection is doing.
    package enum ConnectionState: String, Sendable, CaseIterable {
        /// In the pool, and free.
        case idle
        /// In the pool, and running a transaction.
        case busy
        /// Open for LISTEN.
        case listening
    }

    /// How a node learned of another node's change.
    package enum NotificationSource: String, Sendable, CaseIterable {
        /// NOTIFY.
        case notify
        /// Found by a periodic poll (`--database-poll`).
        case poll
        /// Found after the listening connection was lost and made again.
        case reconnect
    }

    package var connections: [ConnectionState: Int] = [:]
    /// Connections that replaced a lost one, since the start.
    package var reconnects = 0
    /// Changes of other nodes, since the start.
    package var notifications: [NotificationSource: Int] = [:]
    /// How long ago this node last knew all committed changes.
    package var changeLag = Duration.zero

    package init() {}
}
