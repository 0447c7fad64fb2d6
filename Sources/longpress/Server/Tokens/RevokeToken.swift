import ArgumentParser
import Service
import Shortcuts
import Storage

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
