import SQL
import Shortcuts

extension PostgresConnection: SQLConnection {
    /// False if the transaction must be repeated as a whole, or cannot be.
    var isInTransaction: Bool { !hasFailed && !isRolledBack && !(error?.allowsRepetition ?? false) }

    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int {
        if sql.hasPrefix("ROLLBACK") {
            // In a separate segment: otherwise an error of an earlier enqueued statement would skip it.
            drain()
            error = nil
            isRolledBack = sql == "ROLLBACK"
        }
        try send(sql, values, .wanted)
        return try receive().last?.writtenRows ?? 0
    }

    func enqueue(_ sql: String, _ values: [SQLValue]) throws(Failure) {
        try send(sql, values, .ignored)
    }

    @discardableResult
    func executeEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure) -> [Int] {
        guard !values.isEmpty else { return [] }
        for values in values { try send(sql, values, .wanted) }
        return try receive().map(\.writtenRows)
    }

    func enqueueEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure) {
        var rest = values[...]
        while rest.count > 1, let statement = NumberedSQL.inserting(rows: min(rest.count, Self.rowsOfInsert), sql) {
            let rows = rest.prefix(Self.rowsOfInsert)
            try send(statement, Array(rows.joined()), .ignored)
            rest = rest.dropFirst(rows.count)
        }
        for values in rest { try send(sql, values, .ignored) }
        _ = try receive()
    }

    /// A statement may have 65,535 values, and the widest table has about 25 columns.
    private static let rowsOfInsert = 100

    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        try send(sql, values, .wanted)
        return try (receive().last?.rows ?? []).map { values throws(Failure) in
            var row = SQLRow(values)
            return try read(&row)
        }
    }

    /// NO KEY: other transactions may still insert rows that refer to the locked row.
    func locking(_ lock: RowLock) -> String {
        switch lock {
        case .waiting: " FOR NO KEY UPDATE"
        case .skipping: " FOR NO KEY UPDATE SKIP LOCKED"
        }
    }

    func byteCount(of column: String) -> String { "OCTET_LENGTH(\(column))" }

    func run(script: String) throws(Failure) {
        try execute(script: script)
    }

    func continueNumbering(of table: String, by column: String) throws(Failure) {
        try enqueue(
            "SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), MAX(\(column))) FROM \(table) HAVING COUNT(*) > 0", [])
    }

    func record(change: String) throws(Failure) {
        records.append(change)
    }
}
