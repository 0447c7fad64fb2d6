import CSQLite
import Glibc
import SimulationKernel

/// An error of the simulated server, with its SQLSTATE.
struct ServerError: Error {
    let state: String
    let message: String
}

/// The simulated PostgreSQL server: one SQLite database in WAL mode on tmpfs, and a thread for each session. It promises what PostgreSQL
/// promises to the product's statements and no more: snapshots for REPEATABLE READ, the newest commit for each statement of READ
/// COMMITTED, advisory locks, one writer from a transaction's first write on, notifications at commit, timeouts.
///
/// Commits with `synchronous_commit = off` are visible at once and lost in a crash, unless a synchronous one followed.
final class PostgresServer {
    struct Faults {
        /// One in so many messages meets a fault; 0 for none.
        var cutOneIn = 0
        /// One in so many commits of a write ends its connection, most of them without an answer; 0 for none.
        var lostCommitOneIn = 0
        var lostNotificationOneIn = 0
        var lateNotificationOneIn = 0
        var latency: ClosedRange<Int64> = 50_000...400_000
        var fsync: ClosedRange<Int64> = 200_000...3_000_000
    }

    var faults = Faults()
    var random: SeededRandom
    private(set) var path: String
    private(set) var isUp = true
    /// Answers nothing and ends no session, as a stopped machine does.
    private(set) var isFrozen = false
    /// The processes that the network separates from the server.
    var unreachable: Set<Int> = []
    private(set) var sessions: [Session] = []
    let thawing = WaitQueue()
    private var locks: [Int: Session] = [:]
    private let lockQueue = WaitQueue()
    fileprivate(set) var writer: Session?
    private let writerQueue = WaitQueue()
    /// How many frames the write-ahead log has, and how many of them are on disk.
    var frames = 0
    private var durableFrames = 0
    private var files = 0
    /// When a connection of a process was last cut by chance.
    fileprivate(set) var lastCut: [Int: Int64] = [:]
    /// Until when a session may wait for a client that was cut off.
    fileprivate(set) var silentUntil: Int64 = 0
    var counts = (transactions: 0, cuts: 0, crashes: 0, lostCommits: 0)
    private let folder: String

    init(folder: String, seed: UInt64) {
        self.folder = folder
        random = SeededRandom(seed)
        path = "\(folder)/0.db"
        prepareFile()
    }

    private func prepareFile() {
        guard let database = SQLite(path) else { fatalError("\(path) cannot be created.") }
        database.pragma("PRAGMA journal_mode = WAL")
    }

    /// Milliseconds of the server's clock.
    var milliseconds: Int64 { (Kernel.epoch + Kernel.now) / 1_000_000 }

    /// Some messages take much longer than others, so that they arrive in other orders.
    func delay() -> Int64 { random.oneIn(16) ? random.range(0...8 * faults.latency.upperBound) : random.range(faults.latency) }

    // MARK: Sessions

    func connect(_ link: Link) -> String? {
        Kernel.sleep(2 * delay())
        if isFrozen || unreachable.contains(link.process) {
            Kernel.sleep(2_000_000_000)
            return "timeout expired"
        }
        guard isUp else { return "Connection refused" }
        guard sessions.count < 100 else { return "FATAL: sorry, too many clients already" }
        let session = Session(self, link)
        sessions.append(session)
        link.session = session
        Kernel.spawn("backend", process: 0) { session.run() }
        return nil
    }

    /// Connections to the file with their prepared statements, which the next sessions use.
    private var spare: [SQLite] = []

    func openFile() -> SQLite? { spare.popLast() ?? SQLite(path, tracking: self) }

    func close(_ database: SQLite) {
        if isUp { spare.append(database) }
    }

    func remove(_ session: Session) { sessions.removeAll { $0 === session } }

    /// The connections of a process that was killed: the server notices at once.
    func dropConnections(of process: Int) {
        for session in sessions where session.link.process == process { session.link.close() }
    }

    /// Cuts the network between a process and the server. What is under way is never answered.
    func separate(_ process: Int) {
        unreachable.insert(process)
        for session in sessions where session.link.process == process { session.link.fallSilent() }
    }

    func terminate(_ session: Session, _ error: ServerError) {
        session.isTerminated = true
        session.link.send(.failed(error))
        session.link.breakOff(after: delay())
        Kernel.wakeAll(session.link.toServer)
        Kernel.wakeAll(lockQueue)
        Kernel.wakeAll(writerQueue)
    }

    func terminateAll() {
        for session in sessions { terminate(session, ServerError(state: "57P01", message: "terminating connection")) }
    }

    func freeze() { isFrozen = true }

    func thaw() {
        isFrozen = false
        Kernel.wakeAll(thawing)
    }

    /// The machine loses power, or its standby takes over: commits that were not synchronous may be gone.
    func crash() {
        counts.crashes += 1
        isUp = false
        for session in sessions {
            session.isTerminated = true
            session.link.breakOff(after: delay())
            Kernel.wakeAll(session.link.toServer)
        }
        Kernel.wakeAll(lockQueue)
        Kernel.wakeAll(writerQueue)
        for session in sessions { session.abandon() }
        spare = []
        (locks, writer) = ([:], nil)
        sessions = []
        if frames > durableFrames { counts.lostCommits += 1 }
        let old = path
        files += 1
        path = "\(folder)/\(files).db"
        copy(old, to: path, atMost: .max)
        copy(old + "-wal", to: path + "-wal", atMost: durableFrames == 0 ? 0 : 32 + durableFrames * (24 + 4096))
        for suffix in ["", "-wal", "-shm"] { unlink(old + suffix) }
        frames = durableFrames
    }

    func restart() {
        isUp = true
        isFrozen = false
        Kernel.wakeAll(thawing)
    }

    private func copy(_ source: String, to target: String, atMost limit: Int) {
        guard let input = fopen(source, "r"), let output = fopen(target, "w") else { return }
        var (buffer, left) = ([UInt8](repeating: 0, count: 1 << 16), limit)
        while left > 0 {
            let count = fread(&buffer, 1, min(buffer.count, left), input)
            guard count > 0 else { break }
            fwrite(buffer, 1, count, output)
            left -= count
        }
        fclose(input)
        fclose(output)
    }

    func noteCommit(isDurable: Bool) {
        counts.transactions += 1
        guard isDurable else { return }
        durableFrames = frames
        guard frames > 4000, let database = SQLite(path), database.checkpoint() else { return }
        (frames, durableFrames) = (0, 0)
    }

    // MARK: Locks

    func lock(_ number: Int, for session: Session) throws(ServerError) {
        try wait(in: lockQueue, for: session) { locks[number] == nil || locks[number] === session }
        locks[number] = session
    }

    func beginWriting(_ session: Session) throws(ServerError) {
        try wait(in: writerQueue, for: session) { writer == nil || writer === session }
        writer = session
    }

    private func wait(in queue: WaitQueue, for session: Session, until condition: () -> Bool) throws(ServerError) {
        let end = Kernel.now + session.lockTimeout
        while !condition() {
            if session.isTerminated { throw ServerError(state: "57P01", message: "terminating connection") }
            guard Kernel.now < end else { throw ServerError(state: "55P03", message: "canceling statement due to lock timeout") }
            Kernel.wait(in: queue, until: end, "lock of the database")
        }
        if session.isTerminated { throw ServerError(state: "57P01", message: "terminating connection") }
    }

    func releaseLocks(of session: Session) {
        for (number, holder) in locks where holder === session { locks[number] = nil }
        if writer === session { writer = nil }
        Kernel.wakeAll(lockQueue)
        Kernel.wakeAll(writerQueue)
    }

    // MARK: Notifications

    func notify() {
        for session in sessions where session.listens {
            if faults.lostNotificationOneIn > 0, random.oneIn(faults.lostNotificationOneIn) { continue }
            let isLate = faults.lateNotificationOneIn > 0 && random.oneIn(faults.lateNotificationOneIn)
            session.link.send(.notification, after: isLate ? random.range(100_000_000...3_000_000_000) : 0)
            if random.oneIn(20) { session.link.send(.notification) }
        }
    }
}

/// What a client sends.
enum ClientMessage {
    case prepare(String, ServerStatement)
    case execute(ServerStatement, [SQLite.Value])
    case script(String)
    case sync
}

/// What the server sends.
enum ServerMessage {
    case result(ServerResult)
    /// The end of a statement's results.
    case end
    case notification
    /// An error that ends the connection.
    case failed(ServerError)
}

final class ServerStatement {
    let sql: String
    let types: [UInt32]
    let kind: StatementKind

    nonisolated(unsafe) private static var kinds: [String: StatementKind] = [:]

    init(_ sql: String, _ types: [UInt32]) {
        (self.sql, self.types) = (sql, types)
        kind = Self.kinds[sql] ?? StatementKind(sql)
        Self.kinds[sql] = kind
    }
}

/// One connection between a node and the server: two queues whose messages take time.
final class Link {
    let process: Int
    let descriptor: Int32
    var session: Session?
    var outgoing: [ClientMessage] = []
    var inbox: [(arrival: Int64, message: ClientMessage)] = []
    let toServer = WaitQueue()
    var incoming: [(arrival: Int64, message: ServerMessage)] = []
    let toClient = WaitQueue()
    /// When each side sees that the connection is gone.
    var brokenAt: Int64?
    var closedAt: Int64?
    /// From now on nothing arrives, in either direction, and neither side gets an error.
    private(set) var isSilent = false
    var isConnected = false
    var errorMessage = ""
    var statements: [String: ServerStatement] = [:]
    var received: [ServerMessage] = []
    var notifications = 0
    private let server: PostgresServer

    nonisolated(unsafe) static var open: [Int32: Link] = [:]
    nonisolated(unsafe) private static var lastDescriptor: Int32 = 1000

    init(_ server: PostgresServer) {
        self.server = server
        process = Kernel.process
        Self.lastDescriptor += 1
        descriptor = Self.lastDescriptor
        Self.open[descriptor] = self
    }

    // The client's side.

    func flush() {
        let messages = outgoing
        outgoing = []
        guard !isSilent, closedAt == nil else { return }
        let arrival = max(Kernel.now + server.delay(), inbox.last?.arrival ?? 0)
        for message in messages { inbox.append((arrival, message)) }
        Kernel.wakeAll(toServer)
    }

    /// Takes what has arrived.
    /// - Returns: false if the connection is gone.
    func consume() -> Bool {
        while let first = incoming.first, first.arrival <= Kernel.now {
            incoming.removeFirst()
            switch first.message {
            case .notification: notifications += 1
            default: received.append(first.message)
            }
        }
        if received.isEmpty, let brokenAt, brokenAt <= Kernel.now {
            errorMessage = "server closed the connection unexpectedly"
            return false
        }
        return true
    }

    var isBroken: Bool { brokenAt.map { $0 <= Kernel.now } ?? false }

    func poll(_ events: Int16, within limit: Int64?) -> Int16 {
        if events & Int16(POLLOUT) != 0 { return Int16(POLLOUT) }
        let deadline = limit.map { Kernel.now + $0 } ?? .max
        while true {
            if let first = incoming.first, first.arrival <= Kernel.now { return Int16(POLLIN) }
            if isBroken { return Int16(POLLIN | POLLHUP) }
            if Kernel.now >= deadline { return 0 }
            let end = min(deadline, incoming.first?.arrival ?? .max, brokenAt ?? .max)
            Kernel.wait(in: toClient, until: end == .max ? nil : end, "database")
        }
    }

    func close() {
        guard closedAt == nil else { return }
        closedAt = Kernel.now
        Self.open[descriptor] = nil
        Kernel.wakeAll(toServer)
    }

    // The server's side.

    func send(_ message: ServerMessage, after extra: Int64 = 0) {
        guard !isSilent, brokenAt == nil else { return }
        let arrival = Kernel.now + server.delay() + extra
        if case .notification = message {
            let index = incoming.firstIndex { $0.arrival > arrival } ?? incoming.count
            incoming.insert((arrival, message), at: index)
        } else {
            let last = incoming.last { if case .notification = $0.message { false } else { true } }
            let ordered = max(arrival, last?.arrival ?? 0)
            let index = incoming.firstIndex { $0.arrival > ordered } ?? incoming.count
            incoming.insert((ordered, message), at: index)
        }
        Kernel.wakeAll(toClient)
    }

    /// From now on nothing arrives. The client's keepalives notice it after 11 s, unless its own deadline is shorter.
    func fallSilent() {
        guard !isSilent else { return }
        isSilent = true
        // Nothing arrives after a part that was lost.
        inbox = []
        brokenAt = min(brokenAt ?? .max, Kernel.now + 11_000_000_000)
        Kernel.wakeAll(toClient)
    }

    func breakOff(after delay: Int64) {
        guard brokenAt == nil, !isSilent else { return }
        brokenAt = max(Kernel.now + delay, incoming.last?.arrival ?? 0)
        Kernel.wakeAll(toClient)
    }
}

/// One session of the server, which its own thread runs.
final class Session {
    enum Transaction { case none, reading, writing, failed }

    private let server: PostgresServer
    let link: Link
    private var database: SQLite?
    var isTerminated = false
    private var transaction = Transaction.none
    /// Whether SQLite's transaction has begun.
    private var hasBegun = false
    private var savepoints: [String] = []
    private var isAsynchronous = false
    private var notifies = false
    private(set) var listens = false
    private(set) var lockTimeout: Int64 = 3_600_000_000_000
    private var sessionLockTimeout: Int64 = 3_600_000_000_000
    private var sessionIdleTimeout: Int64 = 3_600_000_000_000
    private var idleTimeout: Int64 = 3_600_000_000_000
    private(set) var isBulk = false
    private var isAborted = false
    private var lastMessageAt: Int64 = 0
    private var hasSynced = true

    init(_ server: PostgresServer, _ link: Link) { (self.server, self.link) = (server, link) }

    var isInTransaction: Bool { transaction != .none }

    /// For a transaction whose client is silent.
    var silence: Int64 { Kernel.now - lastMessageAt }

    func abandon() {
        database = nil
        hasBegun = false
    }

    func run() {
        database = server.openFile()
        while let message = next() {
            if server.isFrozen { while server.isFrozen { Kernel.wait(in: server.thawing, "frozen server") } }
            if isTerminated { break }
            lastMessageAt = Kernel.now
            hasSynced = if case .sync = message { true } else { false }
            Kernel.sleep(server.random.range(5_000...40_000))
            if isTerminated { break }
            if handle(message) == false { break }
        }
        endTransaction(rollingBack: true)
        if let database { server.close(database) }
        database = nil
        server.remove(self)
    }

    private func next() -> ClientMessage? {
        while true {
            if isTerminated { return nil }
            if let first = link.inbox.first, first.arrival <= Kernel.now {
                link.inbox.removeFirst()
                return first.message
            }
            if let closedAt = link.closedAt, closedAt <= Kernel.now { return nil }
            var end: Int64?
            if link.isSilent {
                // Keepalives find the dead peer.
                end = lastMessageAt + 11_000_000_000
                if let end, Kernel.now >= end { return nil }
            } else if transaction != .none, hasSynced {
                end = lastMessageAt + idleTimeout
                if let end, Kernel.now >= end {
                    server.terminate(
                        self, ServerError(state: "25P03", message: "terminating connection due to idle-in-transaction timeout"))
                    return nil
                }
            }
            let wakeUp = [end, link.inbox.first?.arrival].compactMap(\.self).min()
            Kernel.wait(in: link.toServer, until: wakeUp, "session")
        }
    }

    private enum Cut: Int { case before, after, silentBefore, silentAfter }

    /// - Returns: false if the session ends.
    private func handle(_ message: ClientMessage) -> Bool {
        if case .sync = message {
            isAborted = false
            link.send(.result(ServerResult(.sync)))
            return true
        }
        let oneIn = isCommit(message) && server.faults.lostCommitOneIn > 0 ? server.faults.lostCommitOneIn : server.faults.cutOneIn
        let cut: Cut? = oneIn > 0 && server.random.oneIn(oneIn) ? Cut(rawValue: server.random.below(4)) : nil
        if let cut {
            server.counts.cuts += 1
            // A silent connection is noticed when a deadline is over.
            if !listens {
                let until = Kernel.now + (cut == .before || cut == .after ? 0 : 16_000_000_000)
                server.lastCut[link.process] = max(server.lastCut[link.process] ?? 0, until)
                // The session of a silent client may hold the writers' lock, for which the other nodes' connections wait.
                server.silentUntil = max(server.silentUntil, until)
            }
            Kernel.note("cut \(cut) of \(link.descriptor)")
        }
        switch cut {
        case .before:
            link.breakOff(after: server.delay())
            return false
        case .silentBefore:
            link.fallSilent()
            return true
        default: break
        }
        let results = isAborted ? [ServerResult(.aborted)] : answer(message)
        if isTerminated { return false }
        if cut == .silentAfter { link.fallSilent() }
        if cut == .after {
            link.breakOff(after: server.delay())
            return false
        }
        for result in results { link.send(.result(result)) }
        link.send(.end)
        return true
    }

    /// Whether it commits what this session wrote.
    private func isCommit(_ message: ClientMessage) -> Bool {
        if case .execute(let statement, _) = message, case .commit = statement.kind { server.writer === self } else { false }
    }

    private func answer(_ message: ClientMessage) -> [ServerResult] {
        do throws(ServerError) {
            switch message {
            case .prepare: return [ServerResult(.command, tag: "")]
            case .execute(let statement, let values): return [try execute(statement, values)]
            case .script(let script):
                try beginWriting()
                try require().run(Self.translated(script))
                return [ServerResult(.command, tag: "")]
            case .sync: return []
            }
        } catch {
            if transaction != .none { fail() }
            isAborted = true
            return [ServerResult(error)]
        }
    }

    /// As PostgreSQL does, this gives up the locks at once, unless there is a savepoint to go back to.
    private func fail() {
        transaction = .failed
        guard savepoints.isEmpty else { return }
        if hasBegun { try? database?.run("ROLLBACK") }
        hasBegun = false
        server.releaseLocks(of: self)
    }

    private func require() throws(ServerError) -> SQLite {
        guard let database, !isTerminated else { throw ServerError(state: "57P01", message: "terminating connection") }
        return database
    }

    private func beginWriting() throws(ServerError) {
        guard !hasBegun else { return }
        try server.beginWriting(self)
        try require().run("BEGIN IMMEDIATE")
        hasBegun = true
        for name in savepoints { try require().run("SAVEPOINT \(name)") }
    }

    private func execute(_ statement: ServerStatement, _ values: [SQLite.Value]) throws(ServerError) -> ServerResult {
        if transaction == .failed {
            switch statement.kind {
            case .commit, .rollBack, .rollBackTo: break
            default: throw ServerError(state: "25P02", message: "current transaction is aborted")
            }
        }
        switch statement.kind {
        case .beginReading:
            transaction = .reading
            (lockTimeout, idleTimeout) = (sessionLockTimeout, sessionIdleTimeout)
            return ServerResult(.command, tag: "BEGIN")
        case .beginWriting:
            transaction = .writing
            (lockTimeout, idleTimeout) = (sessionLockTimeout, sessionIdleTimeout)
            return ServerResult(.command, tag: "BEGIN")
        case .commit: return commit()
        case .rollBack:
            endTransaction(rollingBack: true)
            return ServerResult(.command, tag: "ROLLBACK")
        case .savepoint(let name):
            savepoints.append(name)
            if hasBegun { try require().run("SAVEPOINT \(name)") }
            return ServerResult(.command, tag: "SAVEPOINT")
        case .release(let name):
            if let index = savepoints.lastIndex(of: name) { savepoints.removeSubrange(index...) }
            if hasBegun { try require().run("RELEASE \(name)") }
            return ServerResult(.command, tag: "RELEASE")
        case .rollBackTo(let name):
            if transaction == .failed { transaction = .writing }
            if hasBegun { try require().run("ROLLBACK TO \(name)") }
            return ServerResult(.command, tag: "ROLLBACK")
        case .advisoryLock(let number):
            try server.lock(number, for: self)
            return ServerResult(.rows, tag: "SELECT 1")
        case .notify:
            notifies = true
            return ServerResult(.rows, tag: "SELECT 1")
        case .listen:
            listens = true
            return ServerResult(.command, tag: "LISTEN")
        case .settings(let settings, let isLocal):
            apply(settings, isLocal: isLocal)
            return ServerResult(.rows, tag: "SELECT 1")
        case .constant(let text):
            return ServerResult(.rows, tag: "SELECT 1", [[.text(text)]])
        case .nothing:
            return ServerResult(.rows, tag: "SELECT 0")
        case .endSilent(let silence, let bulkSilence, let failedSilence):
            for session in server.sessions where session !== self && session.isInTransaction && session.link.process != 0 {
                let limit = session.transaction == .failed ? failedSilence : session.isBulk ? bulkSilence : silence
                if session.silence > limit {
                    server.terminate(session, ServerError(state: "57P01", message: "terminating connection"))
                }
            }
            return ServerResult(.rows, tag: "SELECT 1")
        case .read(let sql):
            if transaction == .reading, !hasBegun {
                try require().run("BEGIN")
                hasBegun = true
            }
            return try require().query(sql, values)
        case .writeTwice(let first, let second):
            try beginWriting()
            _ = try require().query(first, [])
            return try require().query(second, values)
        case .write(let sql):
            guard transaction != .reading else { throw ServerError(state: "25006", message: "cannot execute in a read-only transaction") }
            let isImplicit = transaction == .none
            try beginWriting()
            let result = try require().query(sql, values)
            if isImplicit { _ = commit() }
            return result
        }
    }

    private func apply(_ settings: [(String, String)], isLocal: Bool) {
        for (name, value) in settings {
            let nanoseconds = (Int64(value) ?? 0) * 1_000_000
            switch name {
            case "lock_timeout":
                lockTimeout = nanoseconds
                if !isLocal { sessionLockTimeout = nanoseconds }
            case "idle_in_transaction_session_timeout":
                idleTimeout = nanoseconds == 0 ? 3_600_000_000_000 : nanoseconds
                if !isLocal { sessionIdleTimeout = idleTimeout }
            case "synchronous_commit": if value == "off" { isAsynchronous = true }
            case "application_name": isBulk = value.hasSuffix("bulk")
            default: break
            }
        }
    }

    private func commit() -> ServerResult {
        guard transaction != .failed else {
            endTransaction(rollingBack: true)
            return ServerResult(.command, tag: "ROLLBACK")
        }
        let isWrite = hasBegun && server.writer === self
        if isWrite, !isAsynchronous {
            Kernel.sleep(server.random.range(server.faults.fsync))
            // A crash during the flush.
            if isTerminated { return ServerResult(.command, tag: "") }
        }
        endTransaction(rollingBack: false)
        return ServerResult(.command, tag: "COMMIT")
    }

    private func endTransaction(rollingBack: Bool) {
        let isWrite = hasBegun && server.writer === self
        if hasBegun { try? database?.run(rollingBack ? "ROLLBACK" : "COMMIT") }
        if isWrite, !rollingBack { server.noteCommit(isDurable: !isAsynchronous) }
        let tells = notifies && !rollingBack
        (transaction, hasBegun, savepoints, isAsynchronous, notifies, isBulk) = (.none, false, [], false, false, false)
        (lockTimeout, idleTimeout) = (sessionLockTimeout, sessionIdleTimeout)
        server.releaseLocks(of: self)
        if tells { server.notify() }
    }

    /// A migration in SQLite's dialect.
    private static func translated(_ script: String) -> String {
        var text = script.replacing(" COLLATE \"C\"", with: "")
            .replacing("BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", with: "INTEGER NOT NULL PRIMARY KEY")
            .replacing("ADD COLUMN IF NOT EXISTS", with: "ADD COLUMN").replacing("BYTEA", with: "BLOB")
            .replacing("gen_random_uuid()::text", with: "hex(randomblob(16))")
            .replacing("substr(md5(random()::text || clock_timestamp()::text), 1, 8)", with: "'simulate'")
        // PostgreSQL drops a column's index and constraint with the column.
        text = text.replacing(",\n    CHECK ((publish_at IS NULL) = (schedule_order IS NULL))", with: "")
            .replacing(
                "ALTER TABLE drafts DROP COLUMN publish_at", with: "DROP INDEX drafts_due;\nALTER TABLE drafts DROP COLUMN publish_at")
        // SQLite cannot change a check.
        text = text.replacing(" CHECK (kind IN ('publish', 'restore', 'delete'))", with: "")
        text = text.replacing(/ALTER TABLE \w+ (?:DROP|ADD) CONSTRAINT [^;]*;/, with: "")
        text = text.replacing(/ALTER TABLE \w+ SET \([^)]*\);/, with: "")
        text = text.replacing(/ALTER TABLE (\w+) DROP COLUMN ([^;]*);/) { match in
            let columns = match.output.2.split(separator: ",").map {
                $0.replacing("DROP COLUMN", with: "").filter { !$0.isWhitespace }
            }
            return columns.map { "ALTER TABLE \(match.output.1) DROP COLUMN \($0);" }.joined(separator: "\n")
        }
        return text
    }
}

/// What the server does with a statement.
enum StatementKind {
    case beginReading, beginWriting, commit, rollBack, listen, notify, nothing
    case savepoint(String), release(String), rollBackTo(String)
    case advisoryLock(Int)
    case settings([(String, String)], isLocal: Bool)
    case constant(String)
    case endSilent(Int64, bulk: Int64, failed: Int64)
    case read(String), write(String)
    case writeTwice(String, String)

    init(_ sql: String) {
        func number(after mark: String) -> Int64 {
            guard let range = sql.firstRange(of: mark) else { return 0 }
            return Int64(sql[range.upperBound...].prefix { $0.isNumber || $0 == "-" }) ?? 0
        }
        let last = sql.split(separator: " ").last.map(String.init) ?? ""
        if sql.hasPrefix("BEGIN") {
            self = sql.contains("READ ONLY") ? .beginReading : .beginWriting
        } else if sql == "COMMIT" {
            self = .commit
        } else if sql == "ROLLBACK" {
            self = .rollBack
        } else if sql.hasPrefix("ROLLBACK TO") {
            self = .rollBackTo(last)
        } else if sql.hasPrefix("SAVEPOINT") {
            self = .savepoint(last)
        } else if sql.hasPrefix("RELEASE") {
            self = .release(last)
        } else if sql.hasPrefix("LISTEN") {
            self = .listen
        } else if sql.hasPrefix("SELECT pg_notify") {
            self = .notify
        } else if sql.hasPrefix("SELECT pg_advisory_xact_lock(") {
            self = .advisoryLock(Int(last.filter(\.isNumber)) ?? 0)
        } else if sql.hasPrefix("SELECT set_config(") {
            let settings = sql.matches(of: /set_config\('(\w+)', '([^']*)', (\w+)\)/).map { (String($0.output.1), String($0.output.2)) }
            self = .settings(settings, isLocal: sql.contains(", true)"))
        } else if sql.hasPrefix("SET "), let match = sql.wholeMatch(of: /SET (LOCAL )?(\w+) = (\w+)/) {
            self = .settings([(String(match.output.2), String(match.output.3))], isLocal: match.output.1 != nil)
        } else if sql == "SHOW server_version_num" {
            self = .constant("150010")
        } else if sql == "SHOW server_version" {
            self = .constant("15.10")
        } else if sql == "SHOW server_encoding" {
            self = .constant("UTF8")
        } else if sql.contains("FROM pg_catalog.pg_class") {
            self = .read("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        } else if sql.contains("FROM information_schema.columns") {
            self = .read("SELECT name FROM pragma_table_info('schema_migrations')")
        } else if sql.contains("pg_terminate_backend") {
            let (silence, bulk) = (number(after: "ELSE "), number(after: "bulk' THEN "))
            self = .endSilent(
                silence * 1_000_000, bulk: bulk * 1_000_000, failed: number(after: "(aborted)' THEN ") * 1_000_000)
        } else if sql.contains("FROM pg_settings") || sql.hasPrefix("SELECT setval(") {
            self = .nothing
        } else if sql.contains("pg_database_size") {
            self = .read("SELECT 1048576")
        } else {
            let text = sql.replacing("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", with: "server_milliseconds()")
                .replacing(" FOR NO KEY UPDATE SKIP LOCKED", with: "").replacing(" FOR NO KEY UPDATE", with: "")
            let isLocking = sql.contains(" FOR NO KEY UPDATE")
            let isSelect =
                sql.hasPrefix("SELECT")
                || sql.hasPrefix("WITH") && !sql.contains("UPDATE ") && !sql.contains("INSERT ")
                    && !sql.contains("DELETE ")
            if text.hasPrefix("WITH "),
                let match = text.wholeMatch(of: /WITH (\w+) AS \((UPDATE (\w+) [\s\S]*?) RETURNING \w+\)\s*(INSERT [\s\S]*)/)
            {
                // SQLite has no writes inside WITH.
                self = .writeTwice(
                    String(match.output.2), String(match.output.4).replacing("FROM \(match.output.1)", with: "FROM \(match.output.3)"))
            } else {
                self = isSelect && !isLocking ? .read(text) : .write(text)
            }
        }
    }
}
