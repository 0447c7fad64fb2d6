import Shortcuts

/// A value that SQLite and PostgreSQL have in common. A boolean is 0 or 1, a time its milliseconds since 1970.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// What a SELECT with row locks does if another transaction has locked some of the rows.
package enum RowLock: Sendable {
    /// Waits for the lock. The SELECT must have an order, the same wherever these rows are locked, to prevent deadlocks.
    case waiting
    /// Leaves locked rows out.
    case skipping
}

/// One connection inside a transaction. It accepts the SQL that SQLite and PostgreSQL share, with `?` for each value, which the PostgreSQL
/// driver replaces by numbers. Failures are `storageUnavailable` or `internalError`.
package protocol SQLConnection {
    /// False after the engine has rolled the transaction back, as SQLite does after some I/O errors.
    var isInTransaction: Bool { get }

    /// - Returns: the number of rows written.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int

    /// Executes a statement without a result, before the next statement of this connection. A network engine sends it together with the
    /// next statement that waits for a result. Its failure is thrown there, or at the latest by the commit.
    func enqueue(_ sql: String, _ values: [SQLValue]) throws(Failure)

    /// Executes one statement for each list of values, in their order, and waits for the last. A network engine may insert many rows with
    /// one statement.
    func enqueueEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure)

    /// Executes one statement for each list of values, in their order and, for a network engine, in one round trip.
    /// - Returns: the number of rows written, for each list.
    @discardableResult
    func executeEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure) -> [Int]

    /// The locking clause for a SELECT of rows that this transaction will update: they stay locked until its end. Empty if the engine runs
    /// one write at a time.
    func locking(_ lock: RowLock) -> String

    /// An expression: the size of a text in bytes.
    func byteCount(of column: String) -> String

    /// Records the transaction's changes for other nodes, which receive the text after the commit (`SQLDatabase.observeExternalCommits`).
    func record(change: String) throws(Failure)

    /// Reads every row of the result before it returns. For a type that needs only its row, use `rows(_:_:as:)`.
    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element]

    /// Call it after inserting rows with explicit numbers. The engine then continues after the greatest of them.
    func continueNumbering(of table: String, by column: String) throws(Failure)

    /// Executes several independent queries; in one round trip for a network engine.
    /// - Returns: the rows of each.
    func rows(together queries: [SQLQuery]) throws(Failure) -> [[SQLRow]]

    /// Like `rows(together:)`, for rows that are protected by an earlier read of this transaction: they cannot change without changing what
    /// it read, such as an app's stamp.
    func rows(following queries: [SQLQuery]) throws(Failure) -> [[SQLRow]]

    /// Executes several statements without values: a migration.
    func run(script: String) throws(Failure)
}

package typealias SQLQuery = (sql: String, values: [SQLValue])

extension SQLConnection {
    package func rows(together queries: [SQLQuery]) throws(Failure) -> [[SQLRow]] {
        try queries.map { query throws(Failure) in
            try rows(query.sql, query.values) { row throws(Failure) in row }
        }
    }

    package func rows(following queries: [SQLQuery]) throws(Failure) -> [[SQLRow]] {
        try rows(together: queries)
    }

    package func enqueueEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure) {
        for values in values { try enqueue(sql, values) }
    }

    package func enqueue(_ sql: String, _ values: [SQLValue]) throws(Failure) {
        try execute(sql, values)
    }

    @discardableResult
    package func executeEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure) -> [Int] {
        try values.map { values throws(Failure) in try execute(sql, values) }
    }

    /// SQLite always continues after the greatest number.
    package func continueNumbering(of table: String, by column: String) throws(Failure) {}

    package func locking(_ lock: RowLock) -> String { "" }

    package func byteCount(of column: String) -> String { "LENGTH(CAST(\(column) AS BLOB))" }

    /// Processes that share a file only learn that there was a commit, not what it changed.
    package func record(change: String) throws(Failure) {}

    /// Runs `body` behind a savepoint. If it throws, only its own statements are rolled back.
    func savepoint(_ body: (any SQLConnection) throws(Failure) -> Void) throws(Failure) {
        try enqueue("SAVEPOINT part", [])
        do throws(Failure) {
            try body(self)
            // Waits for the statements that the body enqueued, so that their failure is thrown here.
            try execute("RELEASE part", [])
        } catch {
            if isInTransaction { try rollBackToSavepoint() }
            throw error
        }
    }

    /// If the rollback to the savepoint fails, rolls the whole transaction back.
    private func rollBackToSavepoint() throws(Failure) {
        do throws(Failure) {
            try execute("ROLLBACK TO part", [])
            try execute("RELEASE part", [])
        } catch {
            try execute("ROLLBACK", [])
            throw error
        }
    }
}
