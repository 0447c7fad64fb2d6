/// What a node knows of its connections to a database that other nodes share, for metrics.
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

    /// How a node heard of a change of another one.
    package enum NotificationSource: String, Sendable, CaseIterable {
        /// NOTIFY.
        case notify
        /// It asked (`--database-poll`), and there was one.
        case poll
        /// It asked after its listening connection had been lost.
        case reconnect
    }

    package var connections: [ConnectionState: Int] = [:]
    /// Connections that were made again after one was lost, since the start.
    package var reconnects = 0
    /// Changes of other nodes, since the start.
    package var notifications: [NotificationSource: Int] = [:]
    /// How long ago this node last knew every change that was committed.
    package var changeLag = Duration.zero

    package init() {}
}
