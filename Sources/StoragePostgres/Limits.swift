/// Time limits of calls to PostgreSQL, and the timeouts that its sessions get. Tests use shorter ones.
package struct Limits: Sendable {
    let read, write: Duration
    /// Of a write, from its beginning on, when the answer to a COMMIT does not come.
    let settlement: Duration
    /// Of a write of many rows, as long as the server goes on reading and answering them; it is not begun again after `write`.
    let bulkWrite: Duration
    let catchUp: Duration
    /// A write that has less time left is not tried again.
    let shortestTry: Duration
    /// How long a transaction waits for a lock before it looks at who is silent (`endSilentTransactions`), and how long each further time.
    let lock, nextLock: Duration
    /// How long the client of a transaction may say nothing in the middle of it.
    let silence: Duration
    /// The same for a transaction that computes, or reads from elsewhere, between its statements.
    let bulkSilence: Duration
    /// Of a whole transaction.
    let transaction: Duration

    /// Of a read that ends soon; a copy of the whole store takes longer.
    static let shortRead = Duration.seconds(60)
    static let migration = Duration.seconds(24 * 3600)

    /// - Parameter scale: 1 is what is promised.
    package init(scale: Double = 1) {
        (read, write, settlement) = (.seconds(5) * scale, .seconds(8) * scale, .seconds(14) * scale)
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
