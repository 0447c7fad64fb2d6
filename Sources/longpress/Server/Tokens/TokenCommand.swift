import ArgumentParser
import Platform
import QuickActions
import Service
import Shortcuts
import Storage

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke tokens of the admin plane.",
        subcommands: [CreateToken.self, ListTokens.self, RevokeToken.self])
}

struct CreateToken: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a token and print its secret, which is shown only once.")

    @Option(help: "Name of the token in revisions and in the audit.")
    var name: String
    @Option(help: "Owner of the token. Approvals by the same owner count once. The name by default.")
    var owner: String?
    @Option(help: "reader, editor, publisher or owner.")
    var role: String
    @Option(name: .customLong("app"), help: "An app that the token can access; may be repeated. All apps by default.")
    var apps: [String] = []
    @Option(help: "When the token expires: a time such as 2027-01-01T00:00:00Z, or a duration such as 90d or 12h.")
    var expires: String?
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let database = try options.name()
            let author = Author.commandLine()
            let expiresAt = try expires.map { text throws(Failure) in try expiry(text, from: author.at) }
            let document = TokenDocument(
                [
                    "name": .string(name), "role": .string(role), "owner": owner.map { .string($0) },
                    "apps": apps.isEmpty ? nil : .array(apps.map { .string($0) }),
                    "expiresAt": expiresAt.map { .string($0) },
                ])
            let made = NewToken(
                try document.checked(now: author.at), id: TokenID(Randomness.id()), secretBytes: Randomness.bytes(32), at: author.at)
            // A token in a new database would be useless, so the database must exist.
            let store = try database.openExistingStore()
            try store.createToken(made.token, by: author)
            do {
                // The secret is not stored. If it cannot be printed, the token is deleted.
                try Terminal.print(made.secret)
            } catch {
                try store.revokeToken(made.token.id, by: author)
                throw error
            }
        }
    }

    private func expiry(_ text: String, from now: Timestamp) throws(Failure) -> Timestamp {
        guard let time = time(after: text, from: now) ?? Timestamp(text) else {
            throw Failure(
                .badRequest,
                "\(quoted(text)) is not an expiry. Use a duration such as 90d or 12h, or a time such as 2027-01-01T00:00:00Z.")
        }
        return time
    }

    /// Nil if the text is not a duration. Only tokens accept days.
    private func time(after text: String, from now: Timestamp) -> Timestamp? {
        guard text.last == "d" else { return Duration(text: text).map { now + $0 } }
        let digits = text.dropLast()
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let days = Int64(digits), days <= 36_500 else { return nil }
        return now + .seconds(days * 86_400)
    }
}

struct ListTokens: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens: id, role, apps, expiry, last use, name, and the owner if it differs.")

    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let store = try options.name().openExistingStore()
            let now = SystemClock().now()
            var cursor: String?
            repeat {
                let page = try store.tokens(PageRequest(limit: 200, cursor: cursor), within: .all)
                for token in page.items { try Terminal.print(token.line(at: now)) }
                cursor = page.next
            } while cursor != nil
        }
    }
}

extension Token {
    fileprivate func line(at now: Timestamp) -> String {
        let apps =
            switch scope {
            case .all: "all apps"
            case .apps(let apps): apps.sorted().map(\.description).joined(separator: ",")
            }
        let expiry = expiresAt.map { "\($0 <= now ? "expired" : "expires") \($0.shortText)" } ?? "no expiry"
        let use = lastUse.map { "used \($0.hour.shortText) from \($0.address)" } ?? "never used"
        return "\(id)  \(role.rawValue)  \(apps)  \(expiry)  \(use)  \(name)\(owner.description == name ? "" : "  \(owner)")"
    }
}

struct RevokeToken: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke a token at once.")

    @Argument(help: "The id of the token, from longpress token list.")
    var id: String
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            try options.name().openExistingStore().revokeToken(TokenID(id), by: .commandLine())
            printMessage("The token \(id) was revoked.")
        }
    }
}
