import Shortcuts

/// A value as SQLite and PostgreSQL both know it. Truth is 0 or 1, a time is its milliseconds.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// One connection inside a transaction. It takes the SQL that SQLite and PostgreSQL share, with `?` for each value; a
/// PostgreSQL driver numbers them. Failures arrive as `storageUnavailable` or `internalError`.
package protocol SQLConnection {
    /// - Returns: how many rows were written.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int

    /// Reads every row of the answer before it returns.
    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element]

    /// Several statements without values: a migration.
    func run(script: String) throws(Failure)
}
