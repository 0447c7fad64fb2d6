import QuickActions
import Shortcuts

/// Copies a whole store into an empty database of the same or the other engine, including tokens, secrets, the outbox with its attempts,
/// the audit log and the tap counts.
package enum StoreCopy {
    /// The result of a copy.
    package struct Report: Sendable {
        package let tables: [(name: String, rows: Int)]
        /// The last published app and its revision, so that an operator can see what the copy lacks. Nil if no set is published.
        package let newest: (app: AppID, revision: Int64, at: Timestamp)?
    }

    /// Copies in one transaction of the target from one snapshot of the source, which may be in use. Then it reads the target again and
    /// compares the counts and a digest of every table.
    /// - Parameter now: when deliveries with an attempt in flight become due.
    /// - Throws: `conflict` if the target is not empty; `internalError` if the two differ. The target is then unchanged.
    package static func copy(
        from source: any SQLReader, to target: any SQLDatabase, targetName: String, at now: Timestamp
    ) throws(Failure) -> Report {
        try source.read(within: .seconds(24 * 3600)) { source throws(Failure) in
            try target.transaction(isBulk: true) { target throws(Failure) in
                try target.requireEmpty(targetName)
                var tables: [(String, Int)] = []
                for table in CopiedTable.all {
                    var written = TableDigest()
                    try source.forEachBatch(of: table) { rows throws(Failure) in
                        written.add(rows)
                        try target.insert(rows, into: table)
                    }
                    var read = TableDigest()
                    try target.forEachBatch(of: table) { rows throws(Failure) in read.add(rows) }
                    guard read == written else {
                        throw .corrupt("The copy of the table \(table.name) differs: \(read.count) rows instead of \(written.count).")
                    }
                    if table.isNumbered { try target.continueNumbering(of: table.name, by: table.key[0]) }
                    tables.append((table.name, written.count))
                }
                try target.resumeResends(at: now)
                return Report(tables: tables, newest: try target.newestRevision())
            }
        }
    }
}

/// The number of rows, and the SHA-256 over the digests of all batches in their order.
private struct TableDigest: Equatable {
    private(set) var count = 0
    private var digest: [UInt8] = []

    mutating func add(_ rows: [[SQLValue]]) {
        count += rows.count
        var bytes = digest
        for value in rows.joined() { bytes.append(value) }
        digest = sha256(bytes)
    }
}

extension [UInt8] {
    /// Appends a byte for the type and, if the type needs it, the length, so that no two lists of values have the same bytes.
    fileprivate mutating func append(_ value: SQLValue) {
        func length(_ count: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } }
        switch value {
        case .null: append(0)
        case .integer(let integer): self += [1] + length(Int(integer))
        case .text(let text): self += [2] + length(text.utf8.count) + text.utf8
        case .blob(let blob): self += [3] + length(blob.count) + blob
        }
    }
}

extension SQLConnection {
    fileprivate func requireEmpty(_ name: String) throws(Failure) {
        var full: [String] = []
        for table in CopiedTable.all {
            let count = try first("SELECT COUNT(*) FROM (SELECT 1 FROM \(table.name) LIMIT 1) AS found", [], as: Int.self) ?? 0
            if count > 0 { full.append(table.name) }
        }
        guard full.isEmpty else {
            throw Failure(
                .conflict,
                "\(name) is not empty: it has rows in \(full.joined(separator: ", ")). Use a new or newly migrated database. Nothing was "
                    + "copied.")
        }
    }

    /// Makes resends due that were requested during an attempt in flight: the outcome of that attempt is never recorded in the copy.
    fileprivate func resumeResends(at now: Timestamp) throws(Failure) {
        for id in try rows("SELECT id FROM deliveries WHERE resend_again = 1", [], as: DeliveryID.self) {
            _ = try requestAttempt(on: id, at: now)
        }
    }

    fileprivate func newestRevision() throws(Failure) -> (app: AppID, revision: Int64, at: Timestamp)? {
        try rows("SELECT app, number, published_at FROM revisions ORDER BY published_at DESC, number DESC LIMIT 1", []) {
            row throws(Failure) in (try row.read(AppID.self), try row.read(Int64.self), try row.read(Timestamp.self))
        }.first
    }
}
