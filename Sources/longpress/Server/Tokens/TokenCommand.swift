import ArgumentParser

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke tokens of the admin plane.",
        subcommands: [CreateToken.self, ListTokens.self, RevokeToken.self])
}
