import QuickActions
import Storage

/// The Prometheus text exposition format, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ value: Double) {
        gauge(name, help, [([], value)])
    }

    mutating func gauge(_ name: String, _ help: String, _ samples: [([(String, String)], Double)]) {
        family(name, "gauge", help)
        for (labels, value) in samples { sample(name, labels, value) }
    }

    mutating func counter(_ name: String, _ help: String, _ samples: [([(String, String)], Int)]) {
        family(name, "counter", help)
        for (labels, value) in samples { sample(name, labels, Double(value)) }
    }

    mutating func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
        family(name, "histogram", help)
        let counts = histogram.cumulative
        for (bound, count) in zip(histogram.upperBounds.map { "\($0)" } + ["+Inf"], counts) {
            sample(name + "_bucket", [("le", bound)], Double(count))
        }
        sample(name + "_sum", [], histogram.seconds)
        sample(name + "_count", [], Double(counts.last ?? 0))
    }

    private mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let inner = labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
        let number = value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
        text += "\(name)\(inner.isEmpty ? "" : "{\(inner)}") \(number)\n"
    }
}

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
