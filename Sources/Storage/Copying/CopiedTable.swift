import Shortcuts

/// A table of the schema, as `StoreCopy` copies it between databases.
struct CopiedTable {
    let name: String
    /// The primary key. It orders rows the same way in every database.
    let key: [String]
    /// The other columns that are copied.
    let columns: [String]
    /// Whether the engine generates the key of new rows.
    var isNumbered = false

    var allColumns: [String] { key + columns }

    /// Tables that others refer to come first. `schema_migrations`, `nodes`, `tap_writers`, the change log and the journal of the stream
    /// belong to one database and are not copied. Sessions and preview links are not copied either.
    static let all = [
        CopiedTable(
            name: "apps", key: ["id"], columns: ["stamp", "name", "default_language", "fallback_url", "approvals", "languages", "icon"]),
        CopiedTable(name: "app_icons", key: ["app"], columns: ["png"]),
        CopiedTable(name: "revision_counters", key: ["app"], columns: ["last_revision"]),
        CopiedTable(name: "releases", key: ["app", "position"], columns: ["version", "document"]),
        CopiedTable(
            name: "revisions", key: ["app", "number"],
            columns: [
                "kind", "audience", "version", "published_at", "published_by", "document", "imported_by", "imported_at", "message",
                "rollout",
            ]),
        CopiedTable(name: "sets", key: ["app", "audience", "position"], columns: ["revision"]),
        CopiedTable(
            name: "rollouts", key: ["app", "id"],
            columns: [
                "audience", "position", "version", "revision", "threshold", "started_at", "started_by", "ended_at", "ended_by",
                "ending", "guard_lost", "guard_worse", "shares",
            ]),
        CopiedTable(name: "item_ids", key: ["app", "audience", "id"], columns: []),
        CopiedTable(
            name: "drafts", key: ["app", "audience", "position"],
            columns: [
                "version", "tag", "document", "saved_at", "saved_by", "savers", "approvals", "base", "applied", "incomplete", "review",
            ]),
        CopiedTable(name: "applied_documents", key: ["app", "name"], columns: ["document"]),
        CopiedTable(
            name: "schedule", key: ["app", "id"],
            columns: [
                "audience", "position", "version", "due_at", "sequence", "kind", "tag", "document", "saved_at", "saved_by", "savers",
                "approvals", "override_reason", "base", "revision", "expected_revision", "follows", "scheduled_at", "scheduled_by",
                "scheduled_from", "scheduled_request", "quarantined_at", "scheduled_token_id", "scheduled_owner", "scheduled_role",
                "scheduled_session", "applied", "message", "rollout", "threshold",
            ]),
        CopiedTable(
            name: "tokens", key: ["id"],
            columns: [
                "name", "role", "apps", "created_at", "hash", "hash_prefix", "expires_at", "owner", "created_by", "last_used_at",
                "last_used_from",
            ]),
        CopiedTable(name: "former_tokens", key: ["id"], columns: ["name", "owner", "created_by", "revoked_at"]),
        CopiedTable(
            name: "endpoints", key: ["id"],
            columns: [
                "url", "types", "apps", "description", "headers", "ordered", "enabled", "disabled_reason", "disabled_at", "created_at",
                "secret", "previous_secret", "previous_secret_expires_at", "failing_since", "hold_until",
            ]),
        CopiedTable(name: "events", key: ["id"], columns: ["type", "app", "occurred_at", "body", "traceparent"]),
        CopiedTable(
            name: "deliveries", key: ["sequence"],
            columns: [
                "id", "event", "endpoint", "state", "created_at", "next_attempt_at", "attempts_made", "resend_from", "resend_resumes_at",
                "resend_again", "quarantined_at",
            ], isNumbered: true),
        CopiedTable(
            name: "attempts", key: ["sequence"],
            columns: ["delivery", "at", "duration_ms", "status", "error", "response", "manual"], isNumbered: true),
        CopiedTable(
            name: "audit", key: ["sequence"],
            columns: [
                "at", "token", "action", "app", "version", "audience", "revision", "address", "request", "target_kind", "target_id",
                "target_name", "detail", "token_id", "owner", "role", "session",
            ], isNumbered: true),
        CopiedTable(name: "tap_counts", key: ["app", "hour", "item", "tag_version", "version", "outcome"], columns: ["count"]),
        CopiedTable(
            name: "tap_tallies",
            key: ["app", "hour", "counted", "audience", "revision", "item", "tag_version", "version", "outcome"], columns: ["count"]),
        CopiedTable(
            name: "rollout_taps", key: ["app", "rollout", "hour", "arm", "threshold", "item", "outcome"], columns: ["count"]),
        CopiedTable(name: "tap_days", key: ["app", "day"], columns: ["count", "lost"]),
        // A client may repeat a batch after the move.
        CopiedTable(name: "tap_batches", key: ["app", "id"], columns: ["counted", "at"]),
    ]

    /// Columns that are not copied: an attempt in flight belongs to the process that makes it, so its delivery becomes due in the copy.
    static let leaseColumns = ["deliveries": ["lease_token", "lease_expires_at", "lease_node"]]
}

/// The values of one row, of whatever types.
private struct CopiedRow: RowReadable {
    let values: [SQLValue]

    init(row: inout SQLRow) throws(Failure) {
        values = row.remainingValues()
    }
}

extension SQLConnection {
    /// Reads all rows in the order of the key, in batches.
    func forEachBatch(
        of table: CopiedTable, limit: Int = 500, _ body: ([[SQLValue]]) throws(Failure) -> Void
    ) throws(Failure) {
        let columns = table.allColumns.joined(separator: ", ")
        let key = table.key.joined(separator: ", ")
        var last: [SQLValue]?
        while true {
            let condition = last == nil ? "1 = 1" : "(\(key)) > (\(placeholders(table.key.count)))"
            let rows = try rows(
                "SELECT \(columns) FROM \(table.name) WHERE \(condition) ORDER BY \(key) LIMIT ?", (last ?? []) + [SQLValue(limit)],
                as: CopiedRow.self
            ).map(\.values)
            if !rows.isEmpty { try body(rows) }
            guard rows.count == limit, let end = rows.last else { return }
            last = Array(end.prefix(table.key.count))
        }
    }

    /// - Parameter rows: values in the order of `allColumns`.
    func insert(_ rows: [[SQLValue]], into table: CopiedTable) throws(Failure) {
        try executeEach(
            "INSERT INTO \(table.name) (\(table.allColumns.joined(separator: ", "))) VALUES (\(placeholders(table.allColumns.count)))",
            rows)
    }
}
