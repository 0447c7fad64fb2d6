import Shortcuts

/// One row of a result. It is read from left to right, in the order in which the statement names its columns.
package struct SQLRow: Equatable {
    private let values: [SQLValue]
    private var column = 0

    package init(_ values: [SQLValue]) {
        self.values = values
    }

    /// The next value, of the type that is asked for.
    package mutating func read<Value: RowReadable>(_ type: Value.Type = Value.self) throws(Failure) -> Value {
        try Value(row: &self)
    }

    /// The value that the row has, read from its first column on.
    package func value<Value: RowReadable>(as type: Value.Type = Value.self) throws(Failure) -> Value {
        var row = self
        return try Value(row: &row)
    }

    /// The value that the row has; nil where it cannot be read.
    /// - Parameter unreadable: is told why.
    package func readable<Value: RowReadable>(as type: Value.Type, unreadable: (Failure) -> Void) -> Value? {
        do throws(Failure) {
            return try value(as: type)
        } catch {
            unreadable(error)
            return nil
        }
    }

    package mutating func text() throws(Failure) -> String {
        guard case .text(let text) = try next() else { throw unexpected("text") }
        return text
    }

    package mutating func integer() throws(Failure) -> Int64 {
        guard case .integer(let integer) = try next() else { throw unexpected("an integer") }
        return integer
    }

    package mutating func blob() throws(Failure) -> [UInt8] {
        guard case .blob(let bytes) = try next() else { throw unexpected("bytes") }
        return bytes
    }

    /// What was not read yet, of whatever types.
    package mutating func remainingValues() -> [SQLValue] {
        defer { column = values.count }
        return Array(values[column...])
    }

    /// - Returns: whether the next column is NULL; only then it is skipped.
    mutating func skipNull() throws(Failure) -> Bool {
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
