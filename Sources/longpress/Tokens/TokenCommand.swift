import ArgumentParser
import Platform
import QuickActions
import Remote

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke tokens of the admin plane, on a service or in a database.",
        subcommands: [CreateToken.self, ListTokens.self, RevokeToken.self])
}

/// Where tokens are stored: a running service, or a database on the same machine. Documents are those of the API.
protocol TokenStore {
    /// - Returns: the token with its secret.
    func create(_ document: JSON) throws -> JSON
    /// Calls `print` with each page.
    func list(_ print: ([JSON]) throws -> Void) throws
    func revoke(_ id: String) throws
}

/// The options of the commands for tokens.
struct TokenOptions: ParsableArguments {
    @Flag(help: "Print JSON, as in the API.")
    var json = false
    @OptionGroup var source: SourceOptions

    func store() throws -> any TokenStore {
        if let service = try source.service() { return TokensOfService(service: service) }
        #if SERVER
            return TokensOfDatabase(database: try source.local.name())
        #else
            throw ServerOptions.noneNamed
        #endif
    }
}

private struct TokensOfService: TokenStore {
    let service: RemoteService

    func create(_ document: JSON) throws -> JSON { try service.createToken(document).json }

    func list(_ print: ([JSON]) throws -> Void) throws { try service.eachPage(of: .tokens, print) }

    func revoke(_ id: String) throws { _ = try service.revokeToken(id) }
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
    @OptionGroup var options: TokenOptions

    func run() throws {
        try reporting {
            let document = try document()
            let store = try options.store()
            let created = try store.create(document)
            do {
                // The secret is not stored. If it cannot be printed, the token is deleted.
                try Output(asJSON: options.json).print(created, [created.text("token") ?? ""])
            } catch {
                try store.revoke(created.text("id") ?? "")
                throw error
            }
        }
    }

    private func document() throws -> JSON {
        var read = ArgumentReader()
        let end = read.time("--expires", expires)
        return try read.finish([
            "name": .string(name), "role": .string(role), "owner": owner.map { .string($0) },
            "apps": apps.isEmpty ? nil : .array(apps.map { .string($0) }), "expiresAt": end.map { .string($0) },
        ])
    }
}

struct ListTokens: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tokens: id, role, apps, expiry, last use, name, and the owner if it differs.")

    @OptionGroup var options: TokenOptions

    func run() throws {
        try reporting {
            let now = Timestamp.now
            try Output(asJSON: options.json).print(empty: nil) { token in
                [token.tokenLine(at: now)]
            } pages: { print in
                try options.store().list(print)
            }
        }
    }
}

extension JSON {
    fileprivate func tokenLine(at now: Timestamp) -> String {
        let end = text("expiresAt").flatMap { Timestamp($0) }
        let use = text("lastUsedAt").map { "used \($0) from \(text("lastUsedFrom") ?? "?")" }
        let parts = [
            text("id"), text("role"), texts("apps").isEmpty ? "all apps" : texts("apps").joined(separator: ","),
            end.map { "\($0 <= now ? "expired" : "expires") \($0.shortText)" } ?? "no expiry", use ?? "never used", text("name"),
            text("owner").flatMap { $0 == text("name") ? nil : $0 },
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }
}

struct RevokeToken: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke a token at once.")

    @Argument(help: "The id of the token, from longpress token list.")
    var id: String
    @OptionGroup var options: TokenOptions

    func run() throws {
        try reporting {
            try options.store().revoke(id)
            try Output(asJSON: options.json).print([:], message: "The token \(id) was revoked.")
        }
    }
}
