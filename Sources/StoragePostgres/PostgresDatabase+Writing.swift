import Shortcuts
import Storage

/// Writing: a transaction is repeated while it is known to have written nothing. If its outcome is unknown, the commit is looked up.
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

    /// How a transaction is run.
    private enum WriteKind {
        case shared
        /// With a longer limit. `isBulk`: see `SQLDatabase.writeAlone`.
        case alone(isBulk: Bool)
    }

    /// Repeats the transaction while it is known to have written nothing, until the deadline.
    /// - Parameter start: the arrival of the first writer.
    private func runTransaction(
        _ body: GroupCommit.Body, since start: ContinuousClock.Instant, _ kind: WriteKind
    ) -> GroupCommit.TransactionOutcome {
        var outcome = GroupCommit.TransactionOutcome()
        var tries = 0
        while true {
            do throws(Failure) {
                tries += 1
                let isFirst = tries == 1
                if let commit = try notingWriteError({ () throws(Failure) in try commitOnce(body, kind, from: start, isFirst: isFirst) }) {
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
        /// Earlier commits of other nodes that may not be known here yet.
        let earlier: [LoggedChange]
    }

    /// - Returns: nil if nothing was written and the transaction may be repeated.
    private func commitOnce(
        _ body: GroupCommit.Body, _ kind: WriteKind, from start: ContinuousClock.Instant, isFirst: Bool
    ) throws(Failure) -> Commit? {
        let deadline = start + limits.write
        let lastTry = deadline - limits.shortestTry
        guard .now < lastTry else {
            throw .storageUnavailable(cause: lastFailure.withLock { $0 } ?? "Earlier writes took too long.")
        }
        let connection = try pool.acquire(for: .lockingWrite, before: deadline)
        var isGivenBack = false
        defer { if !isGivenBack { pool.giveBack(connection) } }
        let token = ChangeToken.random()
        do throws(Failure) {
            if case .alone(let isBulk) = kind {
                try begin(.writing, on: connection, within: start + limits.bulkWrite, answerLimit: limits.write, isFirst: isFirst)
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
            // If the connection is usable, the server reported an error before the COMMIT, so the transaction was not committed.
            guard !connection.isUsable else {
                let mayRepeat = connection.error?.allowsRepetition == true && .now < lastTry
                rollBack(connection)
                guard mayRepeat else { throw error }
                return nil
            }
            // Makes room for the connection that looks the commit up.
            pool.giveBack(connection)
            isGivenBack = true
            let commit = try resolveUncertainCommit(token, from: start, error)
            isCommitted = commit != nil
            return commit
        }
    }

    /// Queues the beginning of a transaction.
    /// - Parameters:
    ///   - lock: taken before anything else, when the `enqueue`d statements are sent.
    ///   - isFirst: false if the transaction is repeated, and so may already have waited for a lock.
    func begin(
        _ mode: PostgresConnection.TransactionMode, on connection: PostgresConnection, within deadline: ContinuousClock.Instant,
        answerLimit: Duration? = nil, lock: AdvisoryLock? = nil, isFirst: Bool = true
    ) throws(Failure) {
        try connection.begin(mode, within: deadline, answerLimit: answerLimit)
        if usesPooler { for statement in SessionSettings(limits, of: connection).ofTransaction { try connection.enqueue(statement, []) } }
        if !isFirst { try connection.enqueue("SET LOCAL lock_timeout = \(limits.nextLock.wholeMilliseconds)", []) }
        if let lock { try connection.enqueue(lock.statement, []) }
    }

    /// Numbers the commit, notifies other nodes and commits, in one round trip.
    private func commit(on connection: PostgresConnection, _ token: String) throws(Failure) -> Commit {
        let content = connection.records.joined(separator: "\n")
        let known = log.known
        // At most one notification per commit, and none if other nodes need not know: NOTIFY takes a server-wide lock at commit.
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

    /// Looks up a commit whose answer was lost with the connection. The writers' lock is granted after the lost transaction has ended,
    /// committed or not.
    /// - Returns: nil if it was not committed and may be repeated.
    private func resolveUncertainCommit(_ token: String, from start: ContinuousClock.Instant, _ failure: Failure) throws(Failure) -> Commit?
    {
        let deadline = max(start + limits.resolution, .now + (limits.resolution - limits.write))
        var resolution = CommitResolution.unknown
        while .now < deadline, case .unknown = resolution {
            do throws(Failure) {
                resolution = try lookUpCommit(token, by: deadline)
            } catch {
                Backoff.sleep()
            }
        }
        switch resolution {
        case .committed(let commit): return commit
        case .rolledBack where .now < start + limits.write - limits.shortestTry: return nil
        case .rolledBack: throw failure
        case .unknown:
            throw .commitUnconfirmed(cause: failure.cause ?? failure.detail)
        }
    }

    private enum CommitResolution {
        case committed(Commit), rolledBack, unknown
    }

    private func lookUpCommit(_ token: String, by deadline: ContinuousClock.Instant) throws(Failure) -> CommitResolution {
        let connection = try pool.acquire(for: .lockingWrite, before: deadline)
        defer { pool.giveBack(connection) }
        do throws(Failure) {
            try begin(.writing, on: connection, within: deadline, lock: .writers)
            let known = log.known
            let number = try connection.first("SELECT number FROM changes WHERE token = ?", [.text(token)], as: Int64.self)
            let changes = try connection.rows(LoggedChange.selection, [.integer(known)], as: LoggedChange.self)
            // This writes a row, so that its commit waits for synchronous standbys, and thereby for the commit that it looks up.
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
        let (result, changes) = try notingWriteError { () throws(Failure) in
            var tries = 0
            while true {
                tries += 1
                let connection = try pool.acquire(for: lane == .claims ? .lockingWrite : .write, before: deadline)
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

    /// - Returns: for a claim, also the changes that are not known yet: the claim may have read them, so their observers must run before
    ///   the caller acts.
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

    /// A transaction that is not shared, recorded or observed.
    package func transaction<Result>(
        isBulk: Bool, _ body: (any SQLConnection) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = ContinuousClock.now
        let deadline = start + Limits.migration
        while true {
            let connection = try pool.acquire(for: .lockingWrite, before: deadline)
            defer { pool.giveBack(connection) }
            do throws(Failure) {
                try begin(.writing, on: connection, within: deadline, answerLimit: isBulk ? limits.bulkWrite : limits.write)
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

    /// Rolls a failed transaction back. If it waited too long for a lock, ends silent transactions, one of which may hold the lock.
    func rollBack(_ connection: PostgresConnection) {
        guard connection.isUsable else { return }
        let waitsForLock = connection.error?.isLockTimeout == true
        connection.rollBack()
        if waitsForLock { endSilentTransactions(on: connection) }
    }

    /// Ends the transactions of nodes that are disconnected or stopped: their backends wait in the middle of a transaction for a client
    /// that has been silent for longer than allowed. The server itself ends idle ones. But a backend that waits between two messages of a
    /// pipeline counts as active, and before PostgreSQL 17 no server timeout applies to it. `state_change` is the time of its last message.
    ///
    /// A client that is alive answers an error with ROLLBACK at once, so a failed transaction has less time. It may just have waited for a
    /// lock itself. Behind a savepoint it keeps its locks.
    ///
    /// It is one statement with one clock, so it never ends a backend that has continued, or another backend with a reused process id. The
    /// role may end its own backends. Ending those of other roles needs pg_read_all_stats and pg_signal_backend.
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
                    * CASE WHEN state = 'idle in transaction (aborted)' THEN \(limits.nextLock.wholeMilliseconds)
                      WHEN application_name = '\(ConnectionTarget.Purpose.bulkName)' THEN \(limits.bulkSilence.wholeMilliseconds)
                      ELSE \(limits.silence.wholeMilliseconds) END
                """, [])
            connection.endReading()
        } catch {
            // The transaction waits for the lock again, and then tries this again.
        }
    }
}
