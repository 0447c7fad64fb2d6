import ArgumentParser
import Service

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Make, list and revoke the tokens of the admin plane.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a token and print its secret, which is shown this once.")

        @Option(help: "What the token is called in revisions and in the audit.")
        var name: String
        @Option(help: "reader, editor, publisher or owner.")
        var role: String
        @Option(name: .customLong("app"), help: "An app it may touch; repeat it for more. None means all.")
        var apps: [String] = []
        @Option(help: "From when on it is refused: a time such as 2027-01-01T00:00:00Z, or how long it holds, such as 90d or 12h.")
        var expires: String?
        @OptionGroup var options: DatabaseOption

        func run() throws {
            try reporting {
                try Maintenance(options.path()).createToken(
                    name: name, role: role, apps: apps, expires: expires, show: Terminal.print)
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the tokens: id, role, apps, expiry, name.")

        @OptionGroup var options: DatabaseOption

        func run() throws {
            try reporting {
                for line in try Maintenance(options.path()).tokenLines() { try Terminal.print(line) }
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a token at once.")

        @Argument(help: "The token's id, as list prints it.")
        var id: String
        @OptionGroup var options: DatabaseOption

        func run() throws {
            try reporting {
                try Maintenance(options.path()).revokeToken(id)
                say("The token \(id) is revoked.")
            }
        }
    }
}
