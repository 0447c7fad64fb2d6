import Shortcuts

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
