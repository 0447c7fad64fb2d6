import ArgumentParser

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make, list and revoke the tokens of the admin plane.",
        subcommands: [CreateToken.self, ListTokens.self, RevokeToken.self])
}
