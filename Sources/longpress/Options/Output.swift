import Platform
import QuickActions
import Remote

/// Prints the results of a command, for a person or as JSON.
struct Output {
    private let asJSON: Bool

    init(asJSON: Bool) {
        self.asJSON = asJSON
    }

    /// Prints the answer as JSON, or the lines.
    func print(_ answer: JSON, _ lines: [String]) throws {
        guard !asJSON else { return try Terminal.write(answer.encodedLine) }
        for line in lines { try Terminal.print(line) }
    }

    /// Prints the answer as JSON, or a sentence about what was done to standard error.
    func print(_ answer: JSON, message: String) throws {
        try print(answer, [])
        if !asJSON { printMessage(message) }
    }

    /// Prints all items of the lists: as one document, or as a table without headings.
    /// - Parameters:
    ///   - empty: printed to standard error if the lists have no items.
    ///   - row: the columns of an item.
    func print(_ lists: [RemoteList], of service: RemoteService, empty: String, row: @escaping (JSON) -> [String]) throws {
        try print(empty: empty, row: row) { print in
            for list in lists { try service.eachPage(of: list, print) }
        }
    }

    /// - Parameters:
    ///   - empty: nil to print nothing.
    ///   - pages: calls its argument with the items of each page.
    func print(empty: String?, row: @escaping (JSON) -> [String], pages: (([JSON]) throws -> Void) throws -> Void) throws {
        var all: [JSON] = []
        var isEmpty = true
        try pages { items in
            if !items.isEmpty { isEmpty = false }
            if asJSON { all += items } else { for line in Self.table(items.map(row)) { try Terminal.print(line) } }
        }
        if asJSON {
            try Terminal.write((["items": .array(all)] as JSON).encodedLine)
        } else if isEmpty, let empty {
            printMessage(empty)
        }
    }

    /// Aligns the columns, which two spaces separate.
    private static func table(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension JSON {
    /// The warnings of an answer.
    var warningLines: [String] { elements("warnings").compactMap(Finding.init).map(\.line) }
}
