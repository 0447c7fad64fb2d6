import Shortcuts

/// One row of a result. It is read from left to right, in the order in which the statement names its columns.
package struct SQLRow: Equatable {
    private let values: [SQLValue]
    private var column = 0

    package init(_ values: [SQLValue]) {
        self.values = values
    }

    /// The next value, read as the requested type.
    package mutating func read<Value: RowReadable>(_ type: Value.Type = Value.self) throws(Failure) -> Value {
        try Value(row: &self)
    }

    /// Reads a value from the first column on.
    package func value<Value: RowReadable>(as type: Value.Type = Value.self) throws(Failure) -> Value {
        var row = self
        return try Value(row: &row)
    }

    /// Reads a value from the first column on; nil if it cannot be read.
    /// - Parameter unreadable: called with the failure.
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

    /// The values that were not read yet, of any type.
    package mutating func remainingValues() -> [SQLValue] {
        defer { column = values.count }
        return Array(values[column...])
    }

    /// Skips the next column if it is NULL.
    /// - Returns: whether it was NULL.
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

/// A value that is read from one or more columns of a row. `init(row:)` reads as many as it needs, from the left.
package protocol RowReadable {
    /// - Throws: `internalError` if a column is missing or has another type of value.
    init(row: inout SQLRow) throws(Failure)
}

extension SQLConnection {
    /// Reads every row of the result before it returns.
    package func rows<Element: RowReadable>(
        _ sql: String, _ values: [SQLValue], as type: Element.Type
    ) throws(Failure) -> [Element] {
        try rows(sql, values) { row throws(Failure) in try Element(row: &row) }
    }

    /// All rows of the result in their order. A row that cannot be read becomes nil.
    /// - Parameter unreadable: called with the error of each such row.
    package func readableRows<Element: RowReadable>(
        _ sql: String, _ values: [SQLValue], as type: Element.Type, unreadable: (Failure) -> Void
    ) throws(Failure) -> [Element?] {
        try rows(sql, values) { row throws(Failure) -> Element? in
            do throws(Failure) {
                return try Element(row: &row)
            } catch {
                unreadable(error)
                return nil
            }
        }
    }

    /// The first row of the result; nil if it has none.
    package func first<Element: RowReadable>(
        _ sql: String, _ values: [SQLValue], as type: Element.Type
    ) throws(Failure) -> Element? {
        try rows(sql, values, as: type).first
    }
}

extension Int64: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self = try row.integer()
    }
}

extension Int: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(try row.integer())
    }
}

/// 0 is false, any other integer is true.
extension Bool: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self = try row.integer() != 0
    }
}

extension String: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self = try row.text()
    }
}

/// The bytes of a BLOB.
extension [UInt8]: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self = try row.blob()
    }
}

/// A value of one column that may be NULL.
extension Optional: RowReadable where Wrapped: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self = try row.skipNull() ? nil : try Wrapped(row: &row)
    }
}
