import ArgumentParser
import Foundation
import Service
import Shortcuts
import Storage

struct RotateKey: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Encrypt the secrets of webhooks with a new key while no service uses the database.",
        discussion: """
            The first line of a key file is 32 bytes in base64 or hexadecimal digits. Secrets that are not encrypted yet are encrypted, \
            too. Then start the service with the new key.
            """)

    @Option(help: "The file of the current key (LONGPRESS_SECRET_KEY_FILE).")
    var secretKeyFile: String?
    @Option(help: "The file of the new key.")
    var newSecretKeyFile: String
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let database = try options.name()
            var configuration = Store.Configuration()
            let current = secretKeyFile ?? ProcessInfo.processInfo.environment["LONGPRESS_SECRET_KEY_FILE"]
            if let current { configuration.secretKey = try SecretKey(file: current) }
            let new = try SecretKey(file: newSecretKeyFile)
            try database.requireUnused()
            let count = try database.openExistingStore(configuration).rotateKey(to: new, by: .commandLine())
            printMessage(
                "The secrets of \(count) webhooks are encrypted with the new key. Start the service with --secret-key-file "
                    + newSecretKeyFile
            )
        }
    }
}
