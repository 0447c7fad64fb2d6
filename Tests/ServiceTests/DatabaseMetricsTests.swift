import Storage
import Testing

@testable import Service

@Suite struct DatabaseMetricsTests {
    @Test func `a shared database has its connections and its changes in the metrics`() {
        var statistics = DatabaseStatistics()
        statistics.connections = [.idle: 5, .listening: 1]
        statistics.reconnects = 3
        statistics.notifications = [.notify: 70, .poll: 2]
        statistics.changeLag = .milliseconds(125)
        var text = PrometheusText()
        text.describe(statistics)
        let samples = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            samples == [
                "longpress_change_lag_seconds 0.125", "longpress_database_connections{state=\"idle\"} 5",
                "longpress_database_connections{state=\"busy\"} 0", "longpress_database_connections{state=\"listening\"} 1",
                "longpress_database_reconnects_total 3", "longpress_change_notifications_total{source=\"notify\"} 70",
                "longpress_change_notifications_total{source=\"poll\"} 2", "longpress_change_notifications_total{source=\"reconnect\"} 0",
            ])
    }
}
