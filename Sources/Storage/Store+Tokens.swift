import QuickActions
import Shortcuts

extension Store: TokenStore {
    private static let listing = Listing<Token>(name: "tokens", start: [.integer(.min), .text("")]) {
        [SQLValue($0.createdAt), SQLValue($0.id)]
    }
    static let hashPrefixLength = 8

    package func tokens(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Token> {
        func read(_ key: [SQLValue], _ limit: Int) throws(Failure) -> [Token?] {
            try database.read { connection throws(Failure) in
                try readable(
                    "tokens", "SELECT \(Token.columns) FROM tokens WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?",
                    key + [SQLValue(limit)], as: Token.self, on: connection)
            }
        }
        return try Self.listing.page(page, read: read) { scope.covers($0.scope) }
    }

    package func tokens(hashPrefix: [UInt8]) throws(Failure) -> [Token] {
        try database.read { connection throws(Failure) in
            try connection.tokens(where: "hash_prefix = ?", [.blob(hashPrefix)])
        }
    }

    package func token(_ id: TokenID) throws(Failure) -> Token? {
        try database.read { connection throws(Failure) in try connection.tokens(where: "id = ?", [SQLValue(id)]).first }
    }

    /// Records uses of tokens, once per token and hour.
    package func note(_ uses: [TokenID: TokenUse]) throws(Failure) {
        let values = uses.sorted { $0.key < $1.key }.map { id, use in
            [SQLValue(use.hour), .text(use.address), SQLValue(id), SQLValue(use.hour)]
        }
        _ = try database.writeUnsynced(.free) { connection throws(Failure) in
            try connection.executeEach(
                "UPDATE tokens SET last_used_at = ?, last_used_from = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)", values
            )
        }
    }

    /// - Parameter maxAge: the longest life of a token.
    package func expiringTokens(at now: Timestamp, maxAge: Duration?) throws(Failure) -> Int {
        try database.read { connection throws(Failure) in try connection.expiringTokens(at: now, maxAge: maxAge) }
    }

    package func createToken(_ token: Token, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            try transaction.connection.requireFreeName(token.name, at: author.at)
            try transaction.insert(token, by: author)
        }
    }

    /// Whether no stored token can be used to sign in: there is none, or only the first token of an earlier start, which was never used.
    package func needsFirstToken() throws(Failure) -> Bool {
        try database.read { connection throws(Failure) in try connection.needsFirstToken() }
    }

    /// Creates the token if one is still needed: another node may have created one. It replaces the unused first token of an earlier start.
    /// While another node lives, which may have made that token, it is only replaced after its expiry. The token gets another name while
    /// the name of an earlier first token cannot be used again.
    /// - Returns: whether it was created.
    package func createFirstToken(_ token: Token, by author: Author) throws(Failure) -> Bool {
        try write { transaction throws(Failure) in
            guard try transaction.connection.needsFirstToken() else { return false }
            let unused = try transaction.connection.tokens(where: "1 = 1 ORDER BY id", [])
            if unused.contains(where: { $0.expiresAt.map { $0 > author.at } ?? true }), try hasOtherNodes(transaction.connection, author.at)
            {
                return false
            }
            for previous in unused {
                // Its name can be used again at once, because the token was never used.
                try transaction.connection.execute("DELETE FROM tokens WHERE id = ?", [SQLValue(previous.id)])
                transaction.effects.hasEndedCredentials = true
                try transaction.logRevocation(of: previous, by: author)
            }
            var token = token
            token.name = Token.freeName(
                like: token.name, besides: Set(try transaction.connection.restingNames(at: author.at).map(\.name.caseFolded)))
            try transaction.insert(token, by: author)
            return true
        }
    }

    private func hasOtherNodes(_ connection: any SQLConnection, _ now: Timestamp) throws(Failure) -> Bool {
        guard isShared else { return false }
        return try connection.first(
            "SELECT 1 FROM nodes WHERE id <> ? AND seen_at > ? LIMIT 1",
            [.text(configuration.node.id), SQLValue(now.adding(-Node.silence))], as: Int.self) != nil
    }

    package func revokeToken(_ id: TokenID, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            guard let token = try transaction.connection.tokens(where: "id = ?", [SQLValue(id)]).first else { throw .unknownToken(id) }
            try transaction.connection.retireTokens(where: "id = ?", [SQLValue(id)], at: author.at)
            transaction.effects.hasEndedCredentials = true
            try transaction.logRevocation(of: token, by: author)
        }
    }

    /// Renames tokens until no two have the same name. The oldest one keeps the name. Needed because older programs did not require unique
    /// names. Owners stay the same. Called at each start.
    package func renameDuplicateTokens() throws(Failure) {
        guard try !database.read({ connection throws(Failure) in try connection.renamedTokens() }).isEmpty else { return }
        let author = Author.service(at: clock.now())
        try write { transaction throws(Failure) in
            for (token, name) in try transaction.connection.renamedTokens() {
                try transaction.connection.enqueue(
                    "UPDATE tokens SET name = ?, owner = ? WHERE id = ?", [.text(name), SQLValue(token.owner), SQLValue(token.id)])
                var renamed = token
                renamed.name = name
                try transaction.log(
                    AuditEntry(
                        author: author, action: .tokenRenamed, target: .token(renamed),
                        detail: AuditDetail(from: token.settings, to: renamed.settings)))
            }
        }
    }
}

/// The name of a revoked token that cannot be used again yet.
private struct RestingName: RowReadable {
    let name: String
    let revokedAt: Timestamp

    init(row: inout SQLRow) throws(Failure) {
        (name, revokedAt) = (try row.read(), try row.read())
    }
}

extension TokenOrigin: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        self.init(id: try row.read(), owner: try row.read(), createdBy: try row.read())
    }
}

extension SQLConnection {
    /// The number of tokens that expire within a week and were created for longer than that.
    /// - Parameter maxAge: the longest life of a token.
    func expiringTokens(at now: Timestamp, maxAge: Duration?) throws(Failure) -> Int {
        let week = Duration.seconds(7 * 24 * 3600)
        // Longer than any token's life, and small enough to be added to a time.
        let longest = SQLValue.integer(maxAge?.inMilliseconds ?? 1 << 60)
        return try first(
            """
            SELECT COUNT(*) FROM
                (SELECT CASE WHEN expires_at IS NULL OR expires_at > created_at + ? THEN created_at + ? ELSE expires_at END AS ends_at,
                    created_at FROM tokens) AS ends WHERE ends_at > ? AND ends_at <= ? AND ends_at - created_at > ?
            """, [longest, longest, SQLValue(now), SQLValue(now + week), .integer(week.inMilliseconds)], as: Int.self) ?? 0
    }

    /// Deletes tokens and records their origin. The id may already be recorded if a backup restored the token.
    func retireTokens(where condition: String, _ values: [SQLValue], at time: Timestamp) throws(Failure) {
        try execute(
            """
            INSERT INTO former_tokens (id, name, owner, created_by, revoked_at)
            SELECT id, name, COALESCE(owner, name), created_by, ? FROM tokens WHERE \(condition)
            ON CONFLICT (id) DO UPDATE SET revoked_at = excluded.revoked_at
            """, [SQLValue(time)] + values)
        try execute("DELETE FROM tokens WHERE \(condition)", values)
    }

    /// The origins of these tokens and people, including revoked tokens. An older program did not record the tokens that it revoked.
    func origins(of ids: [TokenID]) throws(Failure) -> [TokenOrigin] {
        var found: [TokenOrigin] = []
        for list in ValueList.lists(of: ids.map { SQLValue($0) }) {
            found += try rows(
                """
                SELECT id, COALESCE(owner, name), created_by FROM tokens WHERE id IN \(list.sql)
                UNION ALL SELECT id, owner, created_by FROM former_tokens WHERE id IN \(list.sql)
                """, list.values + list.values, as: TokenOrigin.self)
        }
        return found
            + ids.compactMap { id in
                let owner = id.description == Token.configuredName ? TokenOwner(Token.configuredName) : id.person
                return owner.map { TokenOrigin(id: id, owner: $0, createdBy: nil) }
            }
    }

    /// The token that created this one, the one that created that, and so on.
    func makers(of id: TokenID) throws(Failure) -> [TokenOrigin] {
        var makers: [TokenOrigin] = []
        var next = try origins(of: [id]).first?.createdBy
        while let id = next, !makers.contains(where: { $0.id == id }) {
            guard let maker = try origins(of: [id]).first else { break }
            makers.append(maker)
            next = maker.createdBy
        }
        return makers
    }

    /// Newest first.
    fileprivate func restingNames(at now: Timestamp) throws(Failure) -> [RestingName] {
        try rows(
            "SELECT name, revoked_at FROM former_tokens WHERE revoked_at > ? ORDER BY revoked_at DESC",
            [.integer(now.milliseconds - Token.nameRest.inMilliseconds)], as: RestingName.self)
    }

    /// Names are compared in Swift, because each database has other rules for case. Writes are serialized, so no two tokens get the same
    /// name concurrently.
    fileprivate func requireFreeName(_ name: String, at now: Timestamp) throws(Failure) {
        let folded = name.caseFolded
        guard ![Token.configuredName, Token.commandLineName].contains(folded) else {
            throw Failure(.conflict, "The name \(quoted(name)) is reserved for entries of the audit. Choose another name.")
        }
        guard try !rows("SELECT name FROM tokens", [], as: String.self).contains(where: { $0.caseFolded == folded }) else {
            throw Failure(
                .conflict,
                "A token named \(quoted(name)) already exists. Names must be unique in revisions and the audit. Choose another name.")
        }
        guard let previous = try restingNames(at: now).first(where: { $0.name.caseFolded == folded }) else { return }
        let end = previous.revokedAt + Token.nameRest
        throw Failure(
            .conflict,
            "A token named \(quoted(previous.name)) was revoked at \(previous.revokedAt.shortText). The name is reserved until "
                + "\(end.shortText). Choose another name.")
    }

    /// The tokens whose names an older token has, with their new names.
    fileprivate func renamedTokens() throws(Failure) -> [(token: Token, name: String)] {
        let tokens = try tokens(where: "1 = 1 ORDER BY created_at, id", [])
        var taken = Set(tokens.map(\.name.caseFolded))
        var seen: Set<String> = []
        var renamed: [(Token, String)] = []
        for token in tokens where !seen.insert(token.name.caseFolded).inserted {
            let name = Token.freeName(like: token.name, besides: taken)
            taken.insert(name.caseFolded)
            renamed.append((token, name))
        }
        return renamed
    }
}

extension SQLConnection {
    func tokens(where condition: String, _ values: [SQLValue]) throws(Failure) -> [Token] {
        try rows(
            "SELECT \(Token.columns) FROM tokens WHERE \(condition)", values, as: Token.self)
    }
}

extension Token: RowReadable {
    private static let columnNames = [
        "id", "name", "role", "apps", "created_at", "expires_at", "hash", "owner", "created_by", "last_used_at", "last_used_from",
    ]
    fileprivate static let columns = columnNames.joined(separator: ", ")

    /// For a statement with several tables.
    static func columns(of table: String) -> String { columnNames.map { "\(table).\($0)" }.joined(separator: ", ") }

    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            id: try row.read(), name: try row.read(), role: try row.read(), scope: try row.read(), createdAt: try row.read(),
            expiresAt: try row.read(), hash: try row.read(), owner: try row.read(), createdBy: try row.read(),
            lastUse: try row.tokenUse())
    }
}

extension SQLRow {
    fileprivate mutating func tokenUse() throws(Failure) -> TokenUse? {
        let (time, address) = (try read(Timestamp?.self), try read(String?.self))
        return time.map { TokenUse(at: $0, from: address ?? "") }
    }
}

/// The ids of its apps; NULL for all apps.
extension Scope: RowReadable {
    package init(row: inout SQLRow) throws(Failure) {
        let apps: [AppID]? = try row.words()
        self = apps.map { .apps(Set($0)) } ?? .all
    }

    fileprivate var words: [String]? {
        switch self {
        case .all: nil
        case .apps(let apps): apps.sorted().map(\.description)
        }
    }
}

extension Transaction {
    fileprivate mutating func logRevocation(of token: Token, by author: Author) throws(Failure) {
        try log(
            AuditEntry(author: author, action: .tokenRevoked, target: .token(token), detail: AuditDetail(from: token.settings, to: nil)))
    }

    fileprivate mutating func insert(_ token: Token, by author: Author) throws(Failure) {
        try connection.enqueue(
            """
            INSERT INTO tokens (id, name, role, apps, created_at, expires_at, hash, hash_prefix, owner, created_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(token.id), .text(token.name), .text(token.role.rawValue), SQLValue(words: token.scope.words),
                SQLValue(token.createdAt), SQLValue(token.expiresAt), .blob(token.hash),
                .blob(Array(token.hash.prefix(Store.hashPrefixLength))), SQLValue(token.owner), SQLValue(token.createdBy),
            ])
        try log(
            AuditEntry(author: author, action: .tokenCreated, target: .token(token), detail: AuditDetail(from: nil, to: token.settings)))
    }
}

extension SQLConnection {
    fileprivate func needsFirstToken() throws(Failure) -> Bool {
        try first(
            "SELECT 1 FROM tokens WHERE created_by IS NULL OR created_by <> ? OR last_used_at IS NOT NULL LIMIT 1",
            [SQLValue(Token.firstStart)], as: Int.self) == nil
    }
}
