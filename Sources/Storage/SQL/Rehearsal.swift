import Shortcuts

/// Prepares a write of many rows on a snapshot of the database, while others write. It records the reads with their results, and the
/// statements to execute. Under the writers' lock, the reads are repeated in a few round trips, and the statements are executed if every
/// result is unchanged.
///
/// Statements with the same SQL are executed together: first deletions, then insertions in the order in which each table was first used,
/// then updates, then, one by one and in their order, statements that read (`SELECT`). So a body must not depend on another order, must not
/// read what it has written, and must not use the number of rows that it wrote.
final class Rehearsal: SQLConnection {
    private struct Batch {
        let sql: String
        var rows: [[SQLValue]] = []
    }

    private let connection: any SQLConnection
    private var reads: [(query: SQLQuery, answer: [SQLRow])] = []
    private var batches: [Batch] = []
    private var places: [String: Int] = [:]
    private var ordered: [SQLQuery] = []
    private var records: [String] = []
    /// Whether a recorded read had another result when it was repeated.
    private(set) var isOutdated = false

    /// - Parameter connection: reads from one snapshot.
    init(on connection: any SQLConnection) {
        self.connection = connection
    }

    // MARK: - Rehearsing

    var isInTransaction: Bool { true }

    private static let kinds = ["DELETE", "INSERT", "UPDATE"]

    func enqueue(_ sql: String, _ values: [SQLValue]) throws(Failure) {
        guard !sql.contains("SELECT") else { return ordered.append((sql, values)) }
        guard Self.kinds.contains(where: sql.hasPrefix) else { throw .storageFailed(cause: "A rehearsed write cannot do this: \(sql)") }
        let place = places[sql] ?? batches.count
        if place == batches.count {
            places[sql] = place
            batches.append(Batch(sql: sql))
        }
        batches[place].rows.append(values)
    }

    func rows<Element>(
        _ sql: String, _ values: [SQLValue], _ read: (inout SQLRow) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        let answer = try connection.rows(sql, values) { row throws(Failure) in row }
        reads.append(((sql, values), answer))
        return try answer.map { row throws(Failure) in
            var row = row
            return try read(&row)
        }
    }

    func rows(following queries: [SQLQuery]) throws(Failure) -> [[SQLRow]] {
        try connection.rows(together: queries)
    }

    func record(change: String) throws(Failure) {
        records.append(change)
    }

    func byteCount(of column: String) -> String { connection.byteCount(of: column) }

    func execute(_ sql: String, _ values: [SQLValue]) throws(Failure) -> Int {
        throw .storageFailed(cause: "A rehearsed write needs the number of written rows: \(sql)")
    }

    func run(script: String) throws(Failure) {
        throw .storageFailed(cause: "A rehearsed write runs a script.")
    }

    // MARK: - Performing

    private static let (queriesTogether, rowsTogether) = (100, 1000)

    /// Executes the recorded statements, on a connection that holds the writers' lock.
    /// - Throws: if `isOutdated` is true afterwards, nothing was written.
    func perform(on connection: any SQLConnection) throws(Failure) {
        try forEachPart(of: reads, Self.queriesTogether) { part throws(Failure) in
            guard try connection.rows(together: part.map(\.query)) == part.map(\.answer) else {
                isOutdated = true
                throw Failure(.conflict, "Somebody has just changed these apps. Nothing was written. Try again.")
            }
        }
        for kind in Self.kinds {
            for batch in batches where batch.sql.hasPrefix(kind) {
                try forEachPart(of: batch.rows, Self.rowsTogether) { part throws(Failure) in
                    try connection.enqueueEach(batch.sql, Array(part))
                }
            }
        }
        try forEachPart(of: ordered, Self.rowsTogether) { part throws(Failure) in
            for statement in part { try connection.enqueue(statement.sql, statement.values) }
            // Waits for the statements, because enqueued statements take memory.
            try connection.enqueueEach("SELECT 1", [[]])
        }
        for record in records { try connection.record(change: record) }
    }

    private func forEachPart<Element>(
        of elements: [Element], _ count: Int, _ body: (ArraySlice<Element>) throws(Failure) -> Void
    ) throws(Failure) {
        var rest = elements[...]
        while !rest.isEmpty {
            try body(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }
}

extension SQLDatabase {
    /// Like `write`, for many rows: `body` runs on a snapshot while others write, and the writers only wait while its statements are
    /// executed (`Rehearsal` says what `body` must not do). If its reads are outdated by then, it runs again, the last time under the lock.
    package func writeBulk<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        for _ in 0..<3 {
            let (rehearsal, result) = try read(within: .bulkRead) { connection throws(Failure) in
                let rehearsal = Rehearsal(on: connection)
                return (rehearsal, try body(rehearsal))
            }
            do throws(Failure) {
                try writeAlone(
                    isBulk: false, { connection throws(Failure) in try rehearsal.perform(on: connection) }, committed: committed)
                return result
            } catch {
                guard rehearsal.isOutdated else { throw error }
            }
        }
        return try writeAlone(isBulk: true, body, committed: committed)
    }
}
