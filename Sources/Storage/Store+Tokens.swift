import QuickActions
import SQL
import Shortcuts

extension Store: TokenStore {
    private static let listing = Listing(name: "tokens", start: [.integer(.min), .text("")])
    static let hashPrefixLength = 8

    package func tokens(_ page: PageRequest, within scope: Scope) throws(Failure) -> Page<Token> {
        func read(_ key: [SQLValue], _ limit: Int) throws(Failure) -> [Listing.Entry<Token>] {
            try database.read { connection throws(Failure) in
                try connection.tokens(
                    where: "(created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?", key + [SQLValue(limit)])
            }.map { Listing.Entry(element: $0, key: [SQLValue($0.createdAt), SQLValue($0.id)]) }
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
        try database.read { connection throws(Failure) in
            try connection.first("SELECT 1 FROM tokens LIMIT 1", []) { row throws(Failure) in try row.integer() } != nil
        }
    }

    package func createToken(_ token: Token, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            try transaction.connection.execute(
                """
                INSERT INTO tokens (id, name, role, apps, created_at, expires_at, hash, hash_prefix)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    SQLValue(token.id), .text(token.name), .text(token.role.rawValue), SQLValue(words: token.scope.words),
                    SQLValue(token.createdAt), SQLValue(token.expiresAt), .blob(token.hash),
                    .blob(Array(token.hash.prefix(Self.hashPrefixLength))),
                ])
            try transaction.log(AuditEntry(author: author, action: .tokenCreated))
        }
    }

    package func revokeToken(_ id: TokenID, by author: Author) throws(Failure) {
        try write { transaction throws(Failure) in
            guard try transaction.connection.execute("DELETE FROM tokens WHERE id = ?", [SQLValue(id)]) > 0 else {
                throw .unknownToken(id)
            }
            try transaction.log(AuditEntry(author: author, action: .tokenRevoked))
        }
    }
}

extension SQLConnection {
    fileprivate func tokens(where condition: String, _ values: [SQLValue]) throws(Failure) -> [Token] {
        try rows("SELECT id, name, role, apps, created_at, expires_at, hash FROM tokens WHERE \(condition)", values) {
            row throws(Failure) in
            Token(
                id: try row.id(), name: try row.text(), role: try row.parsed(Role.init(rawValue:)),
                scope: try row.words(AppID.init).map { .apps(Set($0)) } ?? .all, createdAt: try row.time(),
                expiresAt: try row.optionalTime(), hash: try row.blob())
        }
    }
}

extension Scope {
    fileprivate var words: [String]? {
        switch self {
        case .all: nil
        case .apps(let apps): apps.sorted().map(\.description)
        }
    }
}
