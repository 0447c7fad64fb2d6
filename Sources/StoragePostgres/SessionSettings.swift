/// What a session of ours needs, whatever the defaults of the server, the database and the role are: that an acknowledged commit is
/// durable, that values come as they are read, and the server's own limits for a node that is cut off.
struct SessionSettings {
    private typealias Setting = (name: String, value: String)

    private let limits: Limits
    /// Such as 150010.
    private let serverVersion: Int32

    init(_ limits: Limits, of connection: PostgresConnection) {
        (self.limits, serverVersion) = (limits, connection.serverVersion)
    }

    /// For a connection to the server itself. The timeout goes first, and needs no look into a catalog: the default may be a millisecond.
    var ofSession: [String] {
        ["SET statement_timeout = \(limits.write.wholeMilliseconds)", Self.statement(ofTransactions + ofConnections, isLocal: false)]
    }

    /// For one transaction, since a pooler may give the next one to another connection.
    var ofTransaction: [String] {
        ["SET LOCAL statement_timeout = \(limits.write.wholeMilliseconds)", Self.statement(ofTransactions, isLocal: true)]
    }

    /// For a transaction that takes as long as it takes. One that is `isBulk` may be silent for longer, while it computes or reads elsewhere.
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
            // Nothing less than `on` survives a crash of the server.
            (
                "synchronous_commit",
                "CASE WHEN current_setting('synchronous_commit') IN ('on', 'remote_apply') THEN current_setting('synchronous_commit') "
                    + "ELSE 'on' END"
            ),
            // `QueryResult` reads it so.
            ("bytea_output", "'hex'"), ("client_min_messages", "'warning'"),
            // A path on which no schema exists names no place for tables.
            ("search_path", "CASE WHEN current_schema() IS NULL THEN 'public' ELSE current_setting('search_path') END"),
        ]
        // Ends the statement of a client that is gone.
        if serverVersion >= 140_000 { settings.append(("client_connection_check_interval", "'2s'")) }
        // Within a transaction a limit that runs already is not lengthened, only ended and begun anew.
        if serverVersion >= 170_000 {
            settings += [("transaction_timeout", "'0'"), ("transaction_timeout", "'\(limits.transaction.wholeMilliseconds)'")]
        }
        return settings
    }

    /// A pooler's connections to the server are its own.
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
