import SQL
import Shortcuts

/// Writing: transactions that are repeated while they are known to have written nothing, and settled where their end is not known.
extension PostgresDatabase {
    package func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        try group.write(body, committed: committed, in: runTransaction)
    }

    /// Repeats the transaction while it is known to have written nothing, until the time is over.
    /// - Parameter start: when the first of the writers came.
    private func runTransaction(_ body: GroupCommit.Body, since start: ContinuousClock.Instant) -> GroupCommit.TransactionOutcome {
        var outcome = GroupCommit.TransactionOutcome()
        while true {
            do throws(Failure) {
                if let commit = try notingObstacle({ () throws(Failure) in try commitOnce(body, from: start) }) {
                    (outcome.ticket, outcome.preceding) = log.commit(commit.token, commit.number, after: commit.earlier)
                    noteSuccess()
                    return outcome
                }
                Backoff.sleep()
            } catch {
                outcome.failure = error
                return outcome
            }
        }
    }

    private struct Commit {
        let token: String
        let number: Int64
        /// What other nodes have committed before it, as far as it may not be known here.
        let earlier: [LoggedChange]
    }

    /// - Returns: nil where nothing was written and the transaction may be run again.
    private func commitOnce(_ body: GroupCommit.Body, from start: ContinuousClock.Instant) throws(Failure) -> Commit? {
        let deadline = start + Limit.write
        guard .now < deadline - .milliseconds(200) else {
            throw .storageUnavailable(cause: lastFailure.withLock { $0 } ?? "The writers before this one took too long.")
        }
        let connection = try pool.take(until: deadline, patience: true)
        defer { pool.giveBack(connection) }
        let token = ChangeToken.random()
        do throws(Failure) {
            try begin(on: connection, within: deadline, lock: .writers)
            try body(connection)
        } catch {
            let mayRepeat = connection.error?.allowsRepetition == true && .now < deadline - .milliseconds(500)
            if connection.isUsable { connection.rollBack() }
            guard mayRepeat else { throw error }
            return nil
        }
        log.beginCommit(token)
        var isCommitted = false
        defer { if !isCommitted { log.abandonCommit(token) } }
        do throws(Failure) {
            let commit = try commit(on: connection, token)
            isCommitted = true
            return commit
        } catch {
            // An error of the server before the COMMIT means that it was not executed.
            guard !connection.isUsable else {
                connection.rollBack()
                guard connection.error?.allowsRepetition == true, .now < deadline - .milliseconds(500) else { throw error }
                return nil
            }
            let commit = try settle(token, from: start, error)
            isCommitted = commit != nil
            return commit
        }
    }

    private func begin(on connection: PostgresConnection, within deadline: ContinuousClock.Instant, lock: AdvisoryLock?) throws(Failure) {
        try connection.begin("BEGIN ISOLATION LEVEL READ COMMITTED", within: deadline)
        if usesPooler { try connection.enqueue(SessionSetting.local, []) }
        if let lock { try connection.enqueue(lock.statement, []) }
    }

    /// Numbers the commit, notifies other nodes and commits, in one round trip.
    private func commit(on connection: PostgresConnection, _ token: String) throws(Failure) -> Commit {
        let content = connection.records.joined(separator: "\n")
        let known = log.known
        // One notification a commit, and none for what others need not know: NOTIFY takes a lock on commit that the whole server shares.
        if !content.isEmpty { try connection.enqueue("SELECT pg_notify('\(ChangeListener.channel)', '')", []) }
        var rows = try connection.commit(executing: [
            (
                """
                WITH next AS (UPDATE change_counter SET last = last + 1 WHERE id = 1 RETURNING last)
                INSERT INTO changes (number, at, node, token, content) SELECT last, ?, ?, ?, ? FROM next RETURNING number
                """, [.integer(databaseClock.now().milliseconds), .text(configuration.node), .text(token), .text(content)]
            ), (LoggedChange.selection, [.integer(known)]),
        ])
        let changes = try LoggedChange.read(rows.removeLast())
        guard var own = rows.last?.first else { throw .corrupt("The change log has no counter.") }
        let number = try own.integer()
        return Commit(token: token, number: number, earlier: changes.filter { $0.number < number })
    }

    /// Finds out whether a commit was made whose answer was lost with the connection. The writers' lock is granted once the lost
    /// transaction has ended, one way or the other.
    /// - Returns: nil where it was not made, and may be tried again.
    private func settle(_ token: String, from start: ContinuousClock.Instant, _ failure: Failure) throws(Failure) -> Commit? {
        let deadline = start + Limit.settlement
        var settlement = Settlement.unknown
        while .now < deadline, case .unknown = settlement {
            do throws(Failure) {
                settlement = try findOut(token, by: deadline)
            } catch {
                Backoff.sleep()
            }
        }
        switch settlement {
        case .committed(let commit): return commit
        case .rolledBack where .now < start + Limit.write - .milliseconds(500): return nil
        case .rolledBack: throw failure
        case .unknown:
            throw .storageUnavailable(
                "The store did not say whether the change was written. Read it before you repeat it; a repetition with If-Match is "
                    + "refused with 412 if it was.", cause: failure.cause ?? failure.detail)
        }
    }

    private enum Settlement {
        case committed(Commit), rolledBack, unknown
    }

    private func findOut(_ token: String, by deadline: ContinuousClock.Instant) throws(Failure) -> Settlement {
        let connection = try pool.take(until: deadline, patience: true)
        defer { pool.giveBack(connection) }
        do throws(Failure) {
            try begin(on: connection, within: deadline, lock: .writers)
            let known = log.known
            let number = try connection.first("SELECT number FROM changes WHERE token = ?", [.text(token)], as: Int64.self)
            let changes = try connection.rows(LoggedChange.selection, [.integer(known)], as: LoggedChange.self)
            // A commit of its own waits for synchronous standbys, and so for the one that it asks about.
            try connection.execute("UPDATE change_counter SET last = last WHERE id = 1", [])
            try connection.commit()
            return number.map { number in .committed(Commit(token: token, number: number, earlier: changes.filter { $0.number < number })) }
                ?? .rolledBack
        } catch {
            if connection.isUsable { connection.rollBack() }
            throw error
        }
    }

    package func writeUnsynced<Result>(
        _ lane: WriteLane, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let deadline = ContinuousClock.now + Limit.write
        let (result, changes) = try notingObstacle { () throws(Failure) in
            while true {
                let connection = try pool.take(until: deadline, patience: true)
                defer { pool.giveBack(connection) }
                do throws(Failure) {
                    return try writeUnsynced(lane, on: connection, by: deadline, body)
                } catch {
                    let mayRepeat = connection.error?.allowsRepetition == true && !connection.mayHaveCommitted
                    if connection.isUsable { connection.rollBack() }
                    guard mayRepeat, .now < deadline - .milliseconds(500) else { throw error }
                    Backoff.sleep()
                }
            }
        }
        noteSuccess()
        if let changes {
            log.deliver(changes)
            log.waitForObservers()
        }
        return result
    }

    /// - Returns: also, for a claim, the changes that are not known yet: what it has read was committed by writes whose observers must
    ///   have run before the caller acts.
    private func writeUnsynced<Result>(
        _ lane: WriteLane, on connection: PostgresConnection, by deadline: ContinuousClock.Instant,
        _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> (Result, [LoggedChange]?) {
        try begin(on: connection, within: deadline, lock: lane == .claims ? .claims : nil)
        try connection.enqueue("SET LOCAL synchronous_commit = off", [])
        let result = try body(connection)
        guard lane == .claims else {
            try connection.commit()
            return (result, nil)
        }
        let rows = try connection.commit(executing: [(LoggedChange.selection, [.integer(log.known)])])
        return (result, try LoggedChange.read(rows.last ?? []))
    }

    /// A transaction that is neither shared nor recorded nor observed: a migration.
    package func transaction<Result>(_ body: (any SQLConnection) throws(Failure) -> Result) throws(Failure) -> Result {
        let deadline = ContinuousClock.now + Limit.migration
        let connection = try pool.take(until: deadline, patience: true)
        defer { pool.giveBack(connection) }
        do throws(Failure) {
            try begin(on: connection, within: deadline, lock: nil)
            try connection.enqueue(SessionSetting.unlimited, [])
            try connection.enqueue(AdvisoryLock.migrations.statement, [])
            let result = try body(connection)
            try connection.commit()
            return result
        } catch {
            if connection.isUsable { connection.rollBack() }
            throw error
        }
    }
}
