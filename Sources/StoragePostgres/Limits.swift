/// Timeouts of calls to PostgreSQL and of its sessions. Tests use shorter ones.
package struct Limits: Sendable {
    let read, write: Duration
    /// The timeout of a write whose COMMIT is not answered, counted from the start of the write.
    let resolution: Duration
    /// The timeout of a write of many rows while the server reads and answers. It is not started again after `write`.
    let bulkWrite: Duration
    let catchUp: Duration
    /// A write with less time left is not repeated.
    let shortestTry: Duration
    /// How long a transaction waits for a lock before it checks for silent clients (`endSilentTransactions`), and how long it waits after
    /// each check.
    let lock, nextLock: Duration
    /// How long the client of a transaction may be silent in the middle of it; `nextLock` after an error.
    let silence: Duration
    /// The same for a transaction that computes, or reads from elsewhere, between its statements.
    let bulkSilence: Duration
    /// The timeout of a whole transaction.
    let transaction: Duration

    /// The timeout of a short read. A copy of the whole store takes longer.
    static let shortRead = Duration.seconds(60)
    static let migration = Duration.seconds(24 * 3600)

    /// - Parameter scale: 1 for the documented limits.
    package init(scale: Double = 1) {
        (read, write, resolution) = (.seconds(5) * scale, .seconds(8) * scale, .seconds(14) * scale)
        bulkWrite = .seconds(60) * scale
        (catchUp, shortestTry) = (.milliseconds(1900) * scale, .milliseconds(500) * scale)
        (lock, nextLock) = (.seconds(5) * scale, .seconds(1) * scale)
        (silence, bulkSilence) = (.seconds(5) * scale, .seconds(60) * scale)
        transaction = .seconds(10) * scale
    }
}

extension Duration {
    var wholeMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
