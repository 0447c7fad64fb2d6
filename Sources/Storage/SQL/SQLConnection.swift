import Shortcuts

/// A value as SQLite and PostgreSQL both know it. Truth is 0 or 1, a time is its milliseconds.
enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// One connection inside a transaction. It takes the SQL that SQLite and PostgreSQL share, with `?` for each value; a
/// PostgreSQL driver numbers them. Failures arrive as `storageUnavailable` or `internalError`.
protocol SQLConnection {
    /// - Returns: how many rows were written.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int

    /// Reads every row of the answer before it returns.
    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element]
}

extension SQLConnection {
    func first<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> Element? {
        try rows(sql, values, read).first
    }
}

/// Where transactions are had. Writes are serialized: what one has read cannot change before it commits.
protocol SQLDatabase: Sendable {
    /// All that `body` reads is of one moment.
    func read<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// Commits, durably, when `body` returns; rolls back when it throws.
    /// - Parameter committed: called after the commit and before any later write begins.
    func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result

    /// Commits when `body` returns, but does not wait for the disk: what it wrote outlives the process, and outlives the
    /// machine once a later `write` has committed.
    func writeUnsynced<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result

    /// Leaves the files as they should be found by who copies or opens them next.
    func settle() throws(Failure)
}

extension SQLDatabase {
    func write<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        try write(body, committed: {})
    }
}

/// One row of an answer, read from the left in the order in which the statement names its columns.
struct SQLRow {
    private let values: [SQLValue]
    private var column = 0

    init(_ values: [SQLValue]) {
        self.values = values
    }

    mutating func text() throws(Failure) -> String {
        guard case .text(let text) = try next() else { throw unexpected("text") }
        return text
    }

    mutating func optionalText() throws(Failure) -> String? {
        try isNull() ? nil : try text()
    }

    mutating func integer() throws(Failure) -> Int64 {
        guard case .integer(let integer) = try next() else { throw unexpected("an integer") }
        return integer
    }

    mutating func optionalInteger() throws(Failure) -> Int64? {
        try isNull() ? nil : try integer()
    }

    mutating func blob() throws(Failure) -> [UInt8] {
        guard case .blob(let bytes) = try next() else { throw unexpected("bytes") }
        return bytes
    }

    /// Steps over a null.
    private mutating func isNull() throws(Failure) -> Bool {
        guard case .null = try next() else {
            column -= 1
            return false
        }
        return true
    }

    private mutating func next() throws(Failure) -> SQLValue {
        guard column < values.count else { throw unexpected("a column") }
        column += 1
        return values[column - 1]
    }

    private func unexpected(_ wanted: String) -> Failure {
        .corrupt("Column \(column) of an answer is not \(wanted).")
    }
}

extension Failure {
    /// What is stored is not what was written.
    static func corrupt(_ cause: String) -> Failure {
        Failure(
            .internalError, "The store holds something that it should not; its operator finds more in the log.",
            cause: cause)
    }
}
