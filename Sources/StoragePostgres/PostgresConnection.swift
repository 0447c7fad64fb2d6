import CPQ
import Glibc
import Shortcuts
import Storage

/// A connection in pipeline mode (libpq, "Pipeline Mode"): statements are queued and sent in one round trip with the first one that waits
/// for a result. Every wait ends at `deadline`. After that, the connection is unusable.
///
/// `@unchecked`: one thread at a time uses it, the one that took it from the pool.
final class PostgresConnection: @unchecked Sendable {
    /// An expected answer of the server, in the order of sending.
    enum Answer {
        /// The answer to preparing a statement under this key.
        case prepared(StatementKey)
        case ignored
        case wanted
        case sync
    }

    struct StatementKey: Hashable {
        let sql: String
        let types: [Oid]
    }

    /// Further statements are sent unprepared: otherwise lists of many different lengths would fill the server's memory.
    private static let largestStatementCount = 300

    let handle: OpaquePointer
    private let preparesStatements: Bool
    private var numbered: [String: NumberedSQL] = [:]
    private var names: [StatementKey: String] = [:]
    private var statementCount = 0
    private var answers: ArraySlice<Answer> = []
    /// The first error since `begin`. Later statements of the transaction are not executed.
    var error: PostgresError?
    private(set) var hasFailed = false
    /// Whether the whole transaction was rolled back since `begin`.
    var isRolledBack = false
    /// Whether a COMMIT was sent since `begin`.
    private(set) var mayHaveCommitted = false
    /// The texts of `record(change:)` since `begin`.
    var records: [String] = []
    /// What it was last taken from the pool for.
    var use = ConnectionPool.Use.read
    /// The end of every wait.
    var deadline = ContinuousClock.now
    /// The maximum wait for the server to read or to answer, if shorter than the deadline.
    private var answerLimit: Duration?

    /// Blocks: libpq looks up the host's name and tries one host after another, each for `connect_timeout` seconds.
    init(_ target: ConnectionTarget, purpose: ConnectionTarget.Purpose) throws(PostgresError) {
        guard let handle = target.connect(purpose) else { throw .lost("Out of memory for a connection.") }
        self.handle = handle
        preparesStatements = purpose.preparesStatements
        guard PQstatus(handle) == CONNECTION_OK else {
            // `deinit` frees the handle, because every property is initialized by now.
            let message = String(cString: PQerrorMessage(handle))
            throw .lost(target.redacted(message.split(separator: "\n").joined(separator: " ")))
        }
        PQsetnonblocking(handle, 1)
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        PQenterPipelineMode(handle)
    }

    deinit { PQfinish(handle) }

    /// Whether the connection can be used for another transaction.
    var isUsable: Bool { !hasFailed && PQstatus(handle) == CONNECTION_OK }

    var socket: Int32 { PQsocket(handle) }

    /// Such as 150010.
    var serverVersion: Int32 { PQserverVersion(handle) }

    // MARK: - Transactions

    enum TransactionMode: String {
        /// Reads one snapshot.
        case reading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        /// States everything explicitly: the role may have other defaults.
        case writing = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
    }

    /// Queues the beginning of a transaction. It is sent with the first statement.
    func begin(_ mode: TransactionMode, within limit: ContinuousClock.Instant, answerLimit: Duration? = nil) throws(Failure) {
        // An error of the previous transaction must not become an error of this one.
        (deadline, self.answerLimit) = (limit, answerLimit)
        drain()
        (error, records, mayHaveCommitted, isRolledBack) = (hasFailed ? error : nil, [], false, false)
        try send(mode.rawValue, [], .ignored)
    }

    /// Queues the settings of the session.
    func enqueueSettings(_ limits: Limits) throws(Failure) {
        for statement in SessionSettings(limits, of: self).ofSession { try enqueue(statement, []) }
    }

    /// Sends the end of a transaction that wrote nothing, without waiting. The next use of the connection reads the answer.
    func endReading() { end("COMMIT") }

    private func end(_ statement: String) {
        do throws(Failure) {
            // In a separate segment: otherwise an error of an earlier enqueued statement would skip it.
            if !answers.isEmpty { try sync() }
            try send(statement, [], .ignored)
            try sync()
            try flush()
        } catch {
            hasFailed = true
        }
    }

    /// Commits. If this throws and `isUsable` is false afterwards, the server may have committed without an answer.
    func commit() throws(Failure) {
        _ = try commit(executing: [])
    }

    /// Executes more statements and commits, in one round trip.
    /// - Returns: the rows of each statement.
    func commit(executing statements: [SQLQuery]) throws(Failure) -> [[SQLRow]] {
        guard !isRolledBack else { throw .storageFailed(cause: "A transaction was rolled back before its commit.") }
        for (sql, values) in statements { try send(sql, values, .wanted) }
        try send("COMMIT", [], .wanted)
        mayHaveCommitted = true
        let received = try receive()
        // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK.
        guard received.last?.tag == "COMMIT" else { throw .storageFailed(cause: "A transaction was rolled back at its commit.") }
        return received.dropLast().map { $0.rows.map { SQLRow($0) } }
    }

    func rows(together queries: [SQLQuery]) throws(Failure) -> [[SQLRow]] {
        for (sql, values) in queries { try send(sql, values, .wanted) }
        return try receive().map { $0.rows.map { SQLRow($0) } }
    }

    /// Discards a transaction, without waiting for the answer.
    func rollBack() { end("ROLLBACK") }

    // MARK: - Statements

    struct Received {
        let tag: String
        let writtenRows: Int
        let rows: [[SQLValue]]
    }

    /// Reads the remaining answers, whatever they are.
    func drain() {
        guard !answers.isEmpty else { return }
        do throws(Failure) {
            _ = try receive()
        } catch {
            // Errors that end the connection are already recorded.
        }
    }

    /// Executes several statements without parameters, however long the server takes for them. Leaves the pipeline, whose protocol allows
    /// only one statement at a time.
    func execute(script: String) throws(Failure) {
        _ = try receive()
        let limit = answerLimit
        answerLimit = nil
        defer { answerLimit = limit }
        PQexitPipelineMode(handle)
        defer { PQenterPipelineMode(handle) }
        guard PQsendQuery(handle, script) == 1 else { throw fail(.lost(message)) }
        try flush()
        while let result = try nextResult() {
            if result.status == PGRES_FATAL_ERROR { note(result.error) }
        }
        if let error { throw error.failure }
    }

    func send(_ sql: String, _ values: [SQLValue], _ answer: Answer) throws(Failure) {
        let statement = numbered[sql] ?? NumberedSQL(sql)
        numbered[sql] = statement
        try send(statement, preparedAs: sql, values, answer)
    }

    /// - Parameter key: names the prepared statement if the connection prepares statements; nil sends an unprepared one.
    func send(_ statement: NumberedSQL, preparedAs key: String? = nil, _ values: [SQLValue], _ answer: Answer) throws(Failure) {
        guard !hasFailed else { throw (error ?? .lost("The connection was lost before.")).failure }
        guard statement.parameterCount == values.count else {
            throw .storageFailed(cause: "\(values.count) values for \(statement.parameterCount) parameters: \(statement.text)")
        }
        let parameters = Parameters(values)
        let isSent: Bool
        if let key, let name = try preparedName(of: statement, key, parameters.types) {
            isSent = parameters.withPointers { values, lengths, formats in
                PQsendQueryPrepared(handle, name, parameters.count, values, lengths, formats, 0) == 1
            }
        } else {
            isSent = parameters.withPointers { values, lengths, formats in
                PQsendQueryParams(handle, statement.text, parameters.count, parameters.types, values, lengths, formats, 0) == 1
            }
        }
        guard isSent else { throw fail(.lost(message)) }
        answers.append(answer)
    }

    /// Nil for a statement that is not prepared.
    private func preparedName(of statement: NumberedSQL, _ sql: String, _ types: [Oid]) throws(Failure) -> String? {
        guard preparesStatements else { return nil }
        let key = StatementKey(sql: sql, types: types)
        if let name = names[key] { return name }
        guard statementCount < Self.largestStatementCount else { return nil }
        statementCount += 1
        let name = "s\(statementCount)"
        guard PQsendPrepare(handle, name, statement.text, Int32(types.count), types) == 1 else { throw fail(.lost(message)) }
        answers.append(.prepared(key))
        names[key] = name
        return name
    }

    private func sync() throws(Failure) {
        guard PQpipelineSync(handle) == 1 else { throw fail(.lost(message)) }
        answers.append(.sync)
    }

    /// Sends the queued statements and reads every answer.
    /// - Returns: the answers that a caller waits for.
    func receive() throws(Failure) -> [Received] {
        if let last = answers.last, case .sync = last {} else { try sync() }
        try flush()
        var received: [Received] = []
        while let answer = answers.popFirst() {
            if case .sync = answer {
                guard let result = try nextResult(), result.status == PGRES_PIPELINE_SYNC else {
                    throw fail(.lost("The server's answers do not match the requests."))
                }
                continue
            }
            var isExecuted = false
            while let result = try nextResult() {
                switch result.status {
                case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
                    isExecuted = true
                    if case .wanted = answer {
                        received.append(Received(tag: result.commandTag, writtenRows: result.writtenRows, rows: result.rows))
                    }
                case PGRES_FATAL_ERROR:
                    note(result.error)
                default:
                    break  // PGRES_PIPELINE_ABORTED: not executed because of an earlier error.
                }
            }
            if case .prepared(let key) = answer, !isExecuted { names[key] = nil }
        }
        if let error { throw error.failure }
        return received
    }

    /// Nil at the end of a statement's results.
    private func nextResult() throws(Failure) -> QueryResult? {
        while PQisBusy(handle) == 1 { try wait(for: Int16(POLLIN)) }
        guard let result = PQgetResult(handle) else {
            guard PQstatus(handle) == CONNECTION_OK else { throw fail(.lost(message)) }
            return nil
        }
        return QueryResult(result)
    }

    private func flush() throws(Failure) {
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1: try wait(for: Int16(POLLIN | POLLOUT))
            default: throw fail(.lost(message))
            }
        }
    }

    /// Waits until the socket can be read or written, and reads the available input.
    private func wait(for events: Int16) throws(Failure) {
        let end = answerLimit.map { min(deadline, .now + $0) } ?? deadline
        let ready = SocketWait.wait(for: events, on: socket, until: end)
        guard ready != 0 else { throw fail(.lost("The server did not answer in time.")) }
        if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0, PQconsumeInput(handle) == 0 { throw fail(.lost(message)) }
    }

    /// Marks the connection as unusable. An earlier error of the server is kept, because it says more than the loss that follows it.
    func fail(_ loss: PostgresError) -> Failure {
        hasFailed = true
        if error == nil { error = loss }
        return (error ?? loss).failure
    }

    private func note(_ error: PostgresError) {
        // Later errors in a failed transaction only say that it has failed (25P02, in_failed_sql_transaction).
        if self.error == nil || self.error?.state == "25P02" { self.error = error }
        if error.endsConnection { hasFailed = true }
    }

    var message: String {
        String(cString: PQerrorMessage(handle)).split(separator: "\n").joined(separator: " ")
    }
}

/// poll(2) on one socket with a deadline: a pooler or a frozen server may acknowledge TCP and never answer.
enum SocketWait {
    /// - Returns: the events; 0 at the deadline.
    static func wait(for events: Int16, on socket: Int32, until deadline: ContinuousClock.Instant) -> Int16 {
        while true {
            var watched = pollfd(fd: socket, events: events, revents: 0)
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return 0 }
            // Rounded up to avoid a busy loop in the last millisecond.
            let milliseconds = min(left / .milliseconds(1), 3_600_000).rounded(.up)
            switch poll(&watched, 1, Int32(milliseconds)) {
            case 0: continue
            case -1 where errno == EINTR: continue
            case -1: return Int16(POLLERR)
            default: return watched.revents
            }
        }
    }
}
