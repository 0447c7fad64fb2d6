import QuickActions
import Shortcuts

extension Store: CredentialStore {
    package func existing(_ credentials: Set<Credential>) throws(Failure) -> Set<Credential> {
        var found: Set<Credential> = []
        var rest = credentials[...]
        while !rest.isEmpty {
            let queries = Credential.queries(of: rest.prefix(ValueList.maxCount))
            rest = rest.dropFirst(ValueList.maxCount)
            let answers = try database.read { connection throws(Failure) in try connection.rows(together: queries) }
            for row in answers.joined() { found.insert(try row.value(as: Credential.self)) }
        }
        return found
    }
}

extension Credential: RowReadable {
    /// Selects the credentials that exist: rows of `token, NULL` or `NULL, hash`.
    fileprivate static func queries(of credentials: some Collection<Credential>) -> [SQLQuery] {
        var (tokens, sessions): ([SQLValue], [SQLValue]) = ([], [])
        for credential in credentials {
            switch credential {
            case .token(let id): tokens.append(SQLValue(id))
            case .session(let hash): sessions.append(.blob(hash))
            }
        }
        let (tokenList, sessionList) = (ValueList(tokens), ValueList(sessions))
        return (tokens.isEmpty ? [] : [("SELECT id, NULL FROM tokens WHERE id IN \(tokenList.sql)", tokenList.values)])
            + (sessions.isEmpty ? [] : [("SELECT NULL, hash FROM sessions WHERE hash IN \(sessionList.sql)", sessionList.values)])
    }

    package init(row: inout SQLRow) throws(Failure) {
        let (token, session) = (try row.read(TokenID?.self), try row.read([UInt8]?.self))
        guard let credential = token.map(Credential.token) ?? session.map(Credential.session) else {
            throw .corrupt("A credential is neither a token nor a session.")
        }
        self = credential
    }
}
