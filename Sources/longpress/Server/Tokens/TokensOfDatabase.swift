import QuickActions
import Service
import Shortcuts
import Storage

/// The tokens of a database, which must exist: a token in a new database would be useless.
struct TokensOfDatabase: TokenStore {
    let database: DatabaseName

    func create(_ document: JSON) throws -> JSON {
        let author = Author.commandLine()
        let made = NewToken(
            try TokenDocument(document).checked(now: author.at), id: TokenID(Randomness.id()), secretBytes: Randomness.bytes(32),
            at: author.at)
        try database.openExistingStore().createToken(made.token, by: author)
        return made.token.created(secret: made.secret)
    }

    func list(_ print: ([JSON]) throws -> Void) throws {
        let store = try database.openExistingStore()
        var cursor: String?
        repeat {
            let page = try store.tokens(PageRequest(limit: 200, cursor: cursor), within: .all)
            try print(page.items.map { $0.json(maxAge: nil) })
            cursor = page.next
        } while cursor != nil
    }

    func revoke(_ id: String) throws {
        try database.openExistingStore().revokeToken(TokenID(id), by: .commandLine())
    }
}
