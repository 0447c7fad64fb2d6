import QuickActions
import SQL

extension PrometheusText {
    /// The connections to a database that nodes share, and how this node learns of changes.
    mutating func describe(_ statistics: DatabaseStatistics) {
        gauge(
            "longpress_change_lag_seconds", "Time since this node last knew every committed change.",
            Double(statistics.changeLag.inMilliseconds) / 1000)
        gauge(
            "longpress_database_connections", "Connections to the database, by state.",
            DatabaseStatistics.ConnectionState.allCases.map {
                ([("state", $0.rawValue)], Double(statistics.connections[$0] ?? 0))
            })
        counter(
            "longpress_database_reconnects_total", "Connections to the database that replaced a lost connection.",
            [([], statistics.reconnects)])
        counter(
            "longpress_change_notifications_total", "Changes by other nodes, by how this node learned of them.",
            DatabaseStatistics.NotificationSource.allCases.map {
                ([("source", $0.rawValue)], statistics.notifications[$0] ?? 0)
            })
    }
}
