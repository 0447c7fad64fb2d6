import Shortcuts

/// A value as SQLite and PostgreSQL both know it. A boolean is 0 or 1, a time its milliseconds since 1970.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// How a SELECT locks its rows where another transaction may have locked some of them.
package enum RowLock: Sendable {
    /// Waits for it. The SELECT says an order, the same wherever these rows are locked, so that no two transactions wait for each other.
    case waiting
    /// Leaves such rows out.
    case skipping
}

/// One connection inside a transaction. It takes the SQL that SQLite and PostgreSQL share, with `?` for each value; a PostgreSQL
/// driver numbers them. Failures arrive as `storageUnavailable` or `internalError`.
package protocol SQLConnection {
    /// False once the engine has rolled the transaction back by itself, as SQLite does for some I/O errors.
    var isInTransaction: Bool { get }

    /// - Returns: how many rows were written.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int

    /// Executes a statement whose result nobody needs, before the next statement of this connection. An engine behind a network sends it
    /// with the next one that somebody waits for; its failure is thrown there, at the latest by the commit.
    func enqueue(_ sql: String, _ values: [SQLValue]) throws(Failure)

    /// Executes one statement for each list of values, in their order, and waits for the last. An engine behind a network may insert many
    /// rows with one statement.
    func enqueueEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure)

    /// Executes one statement for each list of values, in their order and in one round trip where there is a network.
    /// - Returns: how many rows were written, for each list.
    @discardableResult
    func executeEach(_ sql: String, _ values: [[SQLValue]]) throws(Failure) -> [Int]

    /// What ends a SELECT of rows that this transaction is about to update: they stay locked until its end. Empty where an engine runs one
    /// write at a time.
    func locking(_ lock: RowLock) -> String

    /// An expression: how many bytes a text has.
    func byteCount(of column: String) -> String

    /// Hands the transaction's changes to other nodes, which receive the text once it is committed (`SQLDatabase.observeExternalCommits`).
    func record(change: String) throws(Failure)

    /// Reads every row of the result before it returns. A type that needs nothing but its row is read with `rows(_:_:as:)`.
    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element]

    /// After rows were written with numbers of their own: the engine numbers the next one after the greatest of them.
    func continueNumbering(of table: String, by column: String) throws(Failure)

    /// Executes several queries that do not depend on one another, in one round trip where there is a network.
    /// - Returns: the rows of each.
    func rows(together queries: [SQLQuery]) throws(Failure) -> [[SQLRow]]

    /// As `rows(together:)`, for what cannot change unless something changes that this transaction has read before: an app, by its stamp.
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

    /// SQLite goes by the greatest number that there is.
    package func continueNumbering(of table: String, by column: String) throws(Failure) {}

    package func locking(_ lock: RowLock) -> String { "" }

    package func byteCount(of column: String) -> String { "LENGTH(CAST(\(column) AS BLOB))" }

    /// Processes on one file learn that there was a commit, not what it changed.
    package func record(change: String) throws(Failure) {}

    /// Runs `body` behind a savepoint; where it throws, only its own statements are rolled back.
    func savepoint(_ body: (any SQLConnection) throws(Failure) -> Void) throws(Failure) {
        try enqueue("SAVEPOINT part", [])
        do throws(Failure) {
            try body(self)
            // Waits for what the body has enqueued, so that its failure is thrown here.
            try execute("RELEASE part", [])
        } catch {
            if isInTransaction { try rollBackToSavepoint() }
            throw error
        }
    }

    /// Where the savepoint cannot be rolled back to, the whole transaction is rolled back.
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
