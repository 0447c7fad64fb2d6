import Shortcuts

/// One row of an answer, read from the left in the order in which the statement names its columns.
package struct SQLRow {
    private let values: [SQLValue]
    private var column = 0

    package init(_ values: [SQLValue]) {
        self.values = values
    }

    package mutating func text() throws(Failure) -> String {
        guard case .text(let text) = try next() else { throw unexpected("text") }
        return text
    }

    package mutating func optionalText() throws(Failure) -> String? {
        try isNull() ? nil : try text()
    }

    package mutating func integer() throws(Failure) -> Int64 {
        guard case .integer(let integer) = try next() else { throw unexpected("an integer") }
        return integer
    }

    package mutating func optionalInteger() throws(Failure) -> Int64? {
        try isNull() ? nil : try integer()
    }

    package mutating func blob() throws(Failure) -> [UInt8] {
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
