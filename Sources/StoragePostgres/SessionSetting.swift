/// The server's own limits, for a node that is cut off: it holds the others up for no longer.
struct SessionSetting {
    let (name, value): (String, String)

    static let all = [
        SessionSetting("statement_timeout", "8s"), SessionSetting("lock_timeout", "8s"),
        SessionSetting("idle_in_transaction_session_timeout", "5s"),
        // Ends the statement of a client that is gone (PostgreSQL 14).
        SessionSetting("client_connection_check_interval", "2s"),
    ]

    /// The same for one transaction, since a pooler may give the next one to another server connection.
    static let local = "SELECT " + all.map { "set_config('\($0.name)', '\($0.value)', true)" }.joined(separator: ", ")

    /// No limits, for one transaction: a migration or a copy takes as long as it takes.
    static let unlimited = "SELECT " + all.prefix(3).map { "set_config('\($0.name)', '0', true)" }.joined(separator: ", ")

    private init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }
}
