import SQL
import Shortcuts

/// Writing: transactions that are repeated while they are known to have written nothing, and settled where their end is not known.
extension PostgresDatabase {
    package func write<Result>(
        _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        try group.write(body, committed: committed) { body, start in runTransaction(body, since: start, .shared) }
    }

    package func writeAlone<Result>(
        isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result, committed: () -> Void
    ) throws(Failure) -> Result {
        try group.write(alone: true, body, committed: committed) { body, start in
            runTransaction(body, since: start, .alone(isBulk: isBulk))
        }
    }

    /// How a transaction is written.
    private enum WriteKind {
        case shared
        /// With a longer limit. `isBulk` is `SQLDatabase.writeAlone`'s.
        case alone(isBulk: Bool)
    }

    /// Repeats the transaction while it is known to have written nothing, until the time is over.
    /// - Parameter start: when the first of the writers came.
    private func runTransaction(
        _ body: GroupCommit.Body, since start: ContinuousClock.Instant, _ kind: WriteKind
    ) -> GroupCommit.TransactionOutcome {
        var outcome = GroupCommit.TransactionOutcome()
        var tries = 0
        while true {
            do throws(Failure) {
                tries += 1
                let isFirst = tries == 1
                if let commit = try notingObstacle({ () throws(Failure) in try commitOnce(body, kind, from: start, isFirst: isFirst) }) {
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
    private func commitOnce(
        _ body: GroupCommit.Body, _ kind: WriteKind, from start: ContinuousClock.Instant, isFirst: Bool
    ) throws(Failure) -> Commit? {
        let deadline = start + limits.write
        let lastTry = deadline - limits.shortestTry
        guard .now < lastTry else {
            throw .storageUnavailable(cause: lastFailure.withLock { $0 } ?? "Earlier writes took too long.")
        }
        let connection = try pool.take(until: deadline, patience: true)
        defer { pool.giveBack(connection) }
        let token = ChangeToken.random()
        do throws(Failure) {
            if case .alone(let isBulk) = kind {
                try begin(.writing, on: connection, within: start + limits.bulkWrite, patience: limits.write, isFirst: isFirst)
                try connection.enqueue(SessionSettings(limits, of: connection).unlimited(isBulk: isBulk), [])
                try connection.enqueue(AdvisoryLock.writers.statement, [])
            } else {
                try begin(.writing, on: connection, within: deadline, lock: .writers, isFirst: isFirst)
            }
            try body(connection)
        } catch {
            let mayRepeat = connection.error?.allowsRepetition == true && .now < lastTry
            rollBack(connection)
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
                let mayRepeat = connection.error?.allowsRepetition == true && .now < lastTry
                rollBack(connection)
                guard mayRepeat else { throw error }
                return nil
            }
            let commit = try settle(token, from: start, error)
            isCommitted = commit != nil
            return commit
        }
    }

    /// Queues the beginning of a transaction.
    /// - Parameters:
    ///   - lock: taken before anything else, once `enqueue`d statements are sent.
    ///   - isFirst: false where the transaction was tried before, and so may have waited for a lock already.
    func begin(
        _ mode: PostgresConnection.TransactionMode, on connection: PostgresConnection, within deadline: ContinuousClock.Instant,
        patience: Duration? = nil, lock: AdvisoryLock? = nil, isFirst: Bool = true
    ) throws(Failure) {
        try connection.begin(mode, within: deadline, patience: patience)
        if usesPooler { for statement in SessionSettings(limits, of: connection).ofTransaction { try connection.enqueue(statement, []) } }
        if !isFirst { try connection.enqueue("SET LOCAL lock_timeout = \(limits.nextLock.wholeMilliseconds)", []) }
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
        let deadline = max(start + limits.settlement, .now + (limits.settlement - limits.write))
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
        case .rolledBack where .now < start + limits.write - limits.shortestTry: return nil
        case .rolledBack: throw failure
        case .unknown:
            throw .storageUnavailable(
                "The database did not confirm whether the change was written. Read the resource before you repeat the change. If the "
                    + "change was written, a repetition with If-Match gets 412.", cause: failure.cause ?? failure.detail)
        }
    }

    private enum Settlement {
        case committed(Commit), rolledBack, unknown
    }

    private func findOut(_ token: String, by deadline: ContinuousClock.Instant) throws(Failure) -> Settlement {
        let connection = try pool.take(until: deadline, patience: true)
        defer { pool.giveBack(connection) }
        do throws(Failure) {
            try begin(.writing, on: connection, within: deadline, lock: .writers)
            let known = log.known
            let number = try connection.first("SELECT number FROM changes WHERE token = ?", [.text(token)], as: Int64.self)
            let changes = try connection.rows(LoggedChange.selection, [.integer(known)], as: LoggedChange.self)
            // A commit of its own waits for synchronous standbys, and so for the one that it asks about.
            try connection.execute("UPDATE change_counter SET last = last WHERE id = 1", [])
            try connection.commit()
            return number.map { number in .committed(Commit(token: token, number: number, earlier: changes.filter { $0.number < number })) }
                ?? .rolledBack
        } catch {
            rollBack(connection)
            throw error
        }
    }

    package func writeUnsynced<Result>(
        _ lane: WriteLane, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let deadline = ContinuousClock.now + limits.write
        let (result, changes) = try notingObstacle { () throws(Failure) in
            var tries = 0
            while true {
                tries += 1
                let connection = try pool.take(until: deadline, patience: true)
                defer { pool.giveBack(connection) }
                do throws(Failure) {
                    return try writeUnsynced(lane, on: connection, by: deadline, isFirst: tries == 1, body)
                } catch {
                    let mayRepeat = connection.error?.allowsRepetition == true && !connection.mayHaveCommitted
                    rollBack(connection)
                    guard mayRepeat, .now < deadline - limits.shortestTry else { throw error }
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
        _ lane: WriteLane, on connection: PostgresConnection, by deadline: ContinuousClock.Instant, isFirst: Bool,
        _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> (Result, [LoggedChange]?) {
        try begin(.writing, on: connection, within: deadline, lock: lane == .claims ? .claims : nil, isFirst: isFirst)
        try connection.enqueue("SET LOCAL synchronous_commit = off", [])
        let result = try body(connection)
        guard lane == .claims else {
            try connection.commit()
            return (result, nil)
        }
        let rows = try connection.commit(executing: [(LoggedChange.selection, [.integer(log.known)])])
        return (result, try LoggedChange.read(rows.last ?? []))
    }

    /// A transaction that is neither shared nor recorded nor observed.
    package func transaction<Result>(
        isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = ContinuousClock.now
        let deadline = start + Limits.migration
        while true {
            let connection = try pool.take(until: deadline, patience: true)
            defer { pool.giveBack(connection) }
            do throws(Failure) {
                try begin(.writing, on: connection, within: deadline)
                try connection.enqueue(SessionSettings(limits, of: connection).unlimited(isBulk: isBulk), [])
                try connection.enqueue(AdvisoryLock.migrations.statement, [])
                let result = try body(connection)
                try connection.commit()
                return result
            } catch {
                let waitsForLock = connection.error?.isLockTimeout == true
                let mayRepeat = connection.error?.allowsRepetition == true && !connection.mayHaveCommitted
                rollBack(connection)
                guard waitsForLock || mayRepeat && .now < start + limits.write else { throw error }
                Backoff.sleep()
            }
        }
    }

    /// Rolls a failed transaction back. Where it has waited for a lock for too long, who holds it may be silent.
    func rollBack(_ connection: PostgresConnection) {
        guard connection.isUsable else { return }
        let waitsForLock = connection.error?.isLockTimeout == true
        connection.rollBack()
        if waitsForLock { endSilentTransactions(on: connection) }
    }

    /// Ends the transactions of nodes that are cut off or stopped: their backends wait in the middle of a transaction for a client that has
    /// said nothing for longer than it would wait itself. The server ends those that are idle; a backend that waits between two messages of
    /// a pipeline is active, and no limit of the server runs (before PostgreSQL 17). `state_change` is the time of its last message.
    ///
    /// One statement by one clock: no backend is ended that has gone on, or whose process id is another's by now. The role may end its own
    /// backends; those of others are found where it may see and end them (pg_read_all_stats and pg_signal_backend).
    private func endSilentTransactions(on connection: PostgresConnection) {
        do throws(Failure) {
            try connection.begin(.reading, within: .now + limits.nextLock)
            try connection.enqueue(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND application_name LIKE 'longpress%' AND pid <> pg_backend_pid()
                AND (pg_has_role(usesysid, 'USAGE') OR pg_has_role('pg_signal_backend', 'USAGE'))
                AND xact_start IS NOT NULL
                AND (state = 'active' AND wait_event IN ('ClientRead', 'ClientWrite') OR state LIKE 'idle in transaction%')
                AND state_change < clock_timestamp() - interval '1 ms'
                    * CASE application_name WHEN '\(ConnectionTarget.Purpose.bulkName)' THEN \(limits.bulkSilence.wholeMilliseconds)
                      ELSE \(limits.silence.wholeMilliseconds) END
                """, [])
            connection.endReading()
        } catch {
            // The lock is waited for again, and this is tried again after it.
        }
    }
}
