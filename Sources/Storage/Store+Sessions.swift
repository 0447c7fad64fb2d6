import QuickActions
import Shortcuts

extension Store: SessionStore {
    /// Enough for a person with several browsers and for a token that several people share. The limit keeps a program that signs in
    /// repeatedly from filling the disk.
    package static let maxSessionsOfToken = 50

    package func session(hash: [UInt8]) throws(Failure) -> (session: Session, token: Token?)? {
        let found = try database.read { connection throws(Failure) in
            try connection.first(
                """
                SELECT s.hash, s.token, s.configured, s.person, s.created_at, s.expires_at, \(Token.columns(of: "t"))
                FROM sessions s LEFT JOIN tokens t ON t.id = s.token WHERE s.hash = ?
                """, [.blob(hash)], as: SessionRow.self)
        }
        return found.map { ($0.session, $0.token) }
    }

    package func createSession(_ session: Session, replacing replaced: [UInt8]?, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            let connection = transaction.connection
            try connection.requireToken(of: session.owner)
            if let replaced {
                try connection.enqueue("DELETE FROM sessions WHERE hash = ?", [.blob(replaced)])
                transaction.effects.hasEndedCredentials = true
            }
            try connection.insert(session)
            if try connection.removeOldestSessions(of: session.owner, keeping: Self.maxSessionsOfToken) > 0 {
                transaction.effects.hasEndedCredentials = true
            }
            try transaction.logHourly(AuditEntry(author: author, action: .sessionCreated, target: .session(session.hash)))
        }
    }

    package func endSession(hash: [UInt8], by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            guard try transaction.connection.execute("DELETE FROM sessions WHERE hash = ?", [.blob(hash)]) > 0 else { return }
            transaction.effects.hasEndedCredentials = true
            try transaction.logHourly(AuditEntry(author: author, action: .sessionEnded, target: .session(hash)))
        }
    }
}

extension Transaction {
    /// Logs the entry unless the last hour has one with the same action, token and address. This keeps a program that signs in repeatedly
    /// from filling the audit.
    fileprivate mutating func logHourly(_ entry: AuditEntry) throws(Failure) {
        let author = entry.author
        let latest = try connection.first(
            "SELECT at FROM audit WHERE token_id = ? AND at > ? AND action = ? AND address = ? LIMIT 1",
            [
                SQLValue(author.tokenID), .integer(author.at.milliseconds - 3_600_000), .text(entry.action.rawValue), .text(author.address),
            ], as: Timestamp.self)
        if latest == nil { try log(entry) }
    }
}

extension SQLConnection {
    /// - Throws: `unauthenticated` if the owner's token was revoked.
    func requireToken(of owner: Session.Owner) throws(Failure) {
        guard case .token(let id) = owner,
            try first("SELECT 1 FROM tokens WHERE id = ?", [SQLValue(id)], as: Int.self) == nil
        else { return }
        throw Failure(.unauthenticated, "The token was just revoked. Ask an owner for a new one.")
    }

    fileprivate func insert(_ session: Session) throws(Failure) {
        let (token, configured) = session.owner.columns
        try enqueue(
            "INSERT INTO sessions (hash, token, configured, person, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .blob(session.hash), token, configured, session.owner.person, SQLValue(session.createdAt), SQLValue(session.expiresAt),
            ])
    }

    /// - Returns: the number of removed sessions.
    fileprivate func removeOldestSessions(of owner: Session.Owner, keeping count: Int) throws(Failure) -> Int {
        let (token, configured) = owner.columns
        // SQLite has no OFFSET without a LIMIT.
        return try execute(
            """
            DELETE FROM sessions WHERE hash IN (
                SELECT hash FROM sessions WHERE token = ? OR configured = ? ORDER BY created_at DESC, hash LIMIT 1000 OFFSET ?)
            """, [token, configured, SQLValue(count)])
    }

    /// - Returns: the number of removed sessions.
    func removeSessions(expiredAt now: Timestamp, limit: Int) throws(Failure) -> Int {
        try execute(
            "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)",
            [SQLValue(now), SQLValue(limit)])
    }
}

/// From the columns `token`, `configured` and `person`.
extension Session.Owner: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        let (id, configured, person) = (try row.read(TokenID?.self), try row.read([UInt8]?.self), try row.read(String?.self))
        let owner =
            if let person { Person(stored: (try? JSON(document: Array(person.utf8))) ?? .null).map(Self.person) } else {
                id.map(Self.token) ?? configured.map(Self.configured)
            }
        guard let owner else { throw .corrupt("A stored session or preview link has neither a token nor a person.") }
        self = owner
    }
    /// `token` and `configured`, one of which is null. An older program reads any value of `configured` as a configured token, and rejects
    /// an unknown one.
    var columns: (token: SQLValue, configured: SQLValue) {
        switch self {
        case .token(let id): (SQLValue(id), .null)
        case .configured(let digest): (.null, .blob(digest))
        case .person(let person): (.null, .blob(sha256(Array(TokenID(of: person).description.utf8))))
        }
    }

    /// `{"address", "groups"}`
    var person: SQLValue {
        if case .person(let person) = self { SQLValue(utf8: person.json.encoded) } else { .null }
    }
}

/// A session with its token.
private struct SessionRow: RowReadable {
    let session: Session
    /// Nil for a session of the configured token or of a person.
    let token: Token?

    init(row: inout SQLRow) throws(Failure) {
        let hash: [UInt8] = try row.read()
        session = Session(hash: hash, owner: try row.read(), createdAt: try row.read(), expiresAt: try row.read())
        token = if case .token = session.owner { try row.read() } else { nil }
    }
}
