/// The settings that a session needs, whatever the defaults of the server, the database and the role: durable commits, values in the
/// expected format, and the server's own timeouts for a disconnected node.
struct SessionSettings {
    private typealias Setting = (name: String, value: String)

    private let limits: Limits
    /// Such as 150010.
    private let serverVersion: Int32

    init(_ limits: Limits, of connection: PostgresConnection) {
        (self.limits, serverVersion) = (limits, connection.serverVersion)
    }

    /// For a direct connection to the server. The timeout comes first and reads no catalog, because the default may be as short as a
    /// millisecond.
    var ofSession: [String] {
        ["SET statement_timeout = \(limits.write.wholeMilliseconds)", Self.statement(ofTransactions + ofConnections, isLocal: false)]
    }

    /// For one transaction, because a pooler may give the next one to another connection.
    var ofTransaction: [String] {
        ["SET LOCAL statement_timeout = \(limits.write.wholeMilliseconds)", Self.statement(ofTransactions, isLocal: true)]
    }

    /// For a transaction without a time limit. With `isBulk`, it may be silent for longer while it computes or reads elsewhere.
    func unlimited(isBulk: Bool) -> String {
        var settings: [Setting] = [("statement_timeout", "'0'")]
        if serverVersion >= 170_000 { settings.append(("transaction_timeout", "'0'")) }
        if isBulk {
            settings.append(("idle_in_transaction_session_timeout", "'\(limits.bulkSilence.wholeMilliseconds)'"))
            settings.append(("application_name", "'\(ConnectionTarget.Purpose.bulkName)'"))
        }
        return Self.statement(settings, isLocal: true)
    }

    private var ofTransactions: [Setting] {
        var settings: [Setting] = [
            ("lock_timeout", "'\(limits.lock.wholeMilliseconds)'"),
            ("idle_in_transaction_session_timeout", "'\(limits.silence.wholeMilliseconds)'"),
            // Only `on` and stronger values survive a crash of the server.
            (
                "synchronous_commit",
                "CASE WHEN current_setting('synchronous_commit') IN ('on', 'remote_apply') THEN current_setting('synchronous_commit') "
                    + "ELSE 'on' END"
            ),
            // The format that `QueryResult` expects.
            ("bytea_output", "'hex'"), ("client_min_messages", "'warning'"),
            // If no schema of the search path exists, tables cannot be created.
            ("search_path", "CASE WHEN current_schema() IS NULL THEN 'public' ELSE current_setting('search_path') END"),
        ]
        // Ends the statement of a disconnected client.
        if serverVersion >= 140_000 { settings.append(("client_connection_check_interval", "'2s'")) }
        // Within a transaction, a timeout that already runs cannot be extended, only stopped and started again.
        if serverVersion >= 170_000 {
            settings += [("transaction_timeout", "'0'"), ("transaction_timeout", "'\(limits.transaction.wholeMilliseconds)'")]
        }
        return settings
    }

    /// Not for a pooler: its connections to the server are shared.
    private var ofConnections: [Setting] {
        var settings: [Setting] = [
            ("default_transaction_isolation", "'read committed'"),
            ("tcp_keepalives_idle", "'5'"), ("tcp_keepalives_interval", "'2'"), ("tcp_keepalives_count", "'3'"),
            ("tcp_user_timeout", "'8s'"),
        ]
        if serverVersion >= 140_000 { settings.append(("idle_session_timeout", "'0'")) }
        return settings
    }

    private static func statement(_ settings: [Setting], isLocal: Bool) -> String {
        "SELECT " + settings.map { "set_config('\($0.name)', \($0.value), \(isLocal))" }.joined(separator: ", ")
    }
}
