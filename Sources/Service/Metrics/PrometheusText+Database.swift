import QuickActions
import SQL

extension PrometheusText {
    /// The connections to a database that other nodes share, and what this node has heard of them.
    mutating func describe(_ statistics: DatabaseStatistics) {
        gauge(
            "longpress_change_lag_seconds", "How long ago this node last knew every change that was committed.",
            Double(statistics.changeLag.inMilliseconds) / 1000)
        gauge(
            "longpress_database_connections", "Connections to the database, by state.",
            DatabaseStatistics.ConnectionState.allCases.map {
                ([("state", $0.rawValue)], Double(statistics.connections[$0] ?? 0))
            })
        counter(
            "longpress_database_reconnects_total", "Connections to the database that were made again after one was lost.",
            [([], statistics.reconnects)])
        counter(
            "longpress_change_notifications_total", "Changes of other nodes, by how this one heard of them.",
            DatabaseStatistics.NotificationSource.allCases.map {
                ([("source", $0.rawValue)], statistics.notifications[$0] ?? 0)
            })
    }
}
