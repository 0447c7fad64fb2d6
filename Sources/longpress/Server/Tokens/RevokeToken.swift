import ArgumentParser
import Service
import Shortcuts
import Storage

struct RevokeToken: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke a token at once.")

    @Argument(help: "The token's id, as list prints it.")
    var id: String
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            try options.name().openExistingStore().revokeToken(TokenID(id), by: .commandLine())
            printMessage("The token \(id) is revoked.")
        }
    }
}
