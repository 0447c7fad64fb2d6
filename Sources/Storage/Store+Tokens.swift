import QuickActions
import SQL
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

    package func hasTokens() throws(Failure) -> Bool {
        try database.read { connection throws(Failure) in try connection.hasTokens() }
    }

    package func createToken(_ token: Token, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in try transaction.insert(token, by: author) }
    }

    /// Creates the token unless there is one by now: another node may have been first.
    /// - Returns: whether it was created.
    package func createFirstToken(_ token: Token, by author: Author) throws(Failure) -> Bool {
        try write { transaction throws(Failure) in
            guard try !transaction.connection.hasTokens() else { return false }
            try transaction.insert(token, by: author)
            return true
        }
    }

    package func revokeToken(_ id: TokenID, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            guard let token = try transaction.connection.tokens(where: "id = ?", [SQLValue(id)]).first else { throw .unknownToken(id) }
            try transaction.connection.enqueue("DELETE FROM tokens WHERE id = ?", [SQLValue(id)])
            transaction.effects.hasEndedCredentials = true
            try transaction.log(AuditEntry(author: author, action: .tokenRevoked, target: .token(token)))
        }
    }
}

extension SQLConnection {
    fileprivate func tokens(where condition: String, _ values: [SQLValue]) throws(Failure) -> [Token] {
        try rows(
            "SELECT \(Token.columns) FROM tokens WHERE \(condition)", values, as: Token.self)
    }
}

extension Token: RowReadable {
    fileprivate static let columns = "id, name, role, apps, created_at, expires_at, hash"

    package init(row: inout SQLRow) throws(Failure) {
        self.init(
            id: try row.read(), name: try row.read(), role: try row.read(), scope: try row.read(), createdAt: try row.read(),
            expiresAt: try row.read(), hash: try row.read())
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
    fileprivate mutating func insert(_ token: Token, by author: Author) throws(Failure) {
        try connection.enqueue(
            """
            INSERT INTO tokens (id, name, role, apps, created_at, expires_at, hash, hash_prefix)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                SQLValue(token.id), .text(token.name), .text(token.role.rawValue), SQLValue(words: token.scope.words),
                SQLValue(token.createdAt), SQLValue(token.expiresAt), .blob(token.hash),
                .blob(Array(token.hash.prefix(Store.hashPrefixLength))),
            ])
        try log(AuditEntry(author: author, action: .tokenCreated, target: .token(token)))
    }
}

extension SQLConnection {
    fileprivate func hasTokens() throws(Failure) -> Bool {
        try first("SELECT 1 FROM tokens LIMIT 1", [], as: Int.self) != nil
    }
}
