import ArgumentParser
import Foundation
import Service
import Shortcuts
import Storage

struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy the database. The service may be running.")

    @Argument(help: "The path of the copy, which must not exist yet.")
    var destination: String
    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            try options.name().backup(to: destination)
            printMessage("The copy is at \(destination).")
        }
    }
}

struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy everything from one database to another, empty one.",
        discussion: """
            Each is a path, sqlite: and a path, or postgres://…, in both directions. Includes tokens, secrets, webhooks with their \
            deliveries, the audit and tap counts. The source may be in use: the copy is a snapshot.
            """)

    @Argument(help: "The database to read.")
    var source: String
    @Argument(help: "The database to write: new, or migrated and empty.")
    var target: String

    func run() throws {
        try reporting {
            let (source, target) = (try DatabaseName(argument: source), try DatabaseName(argument: target))
            let report = try source.copy(to: target)
            for (name, rows) in report.tables where rows > 0 { printMessage("\(name): \(rows)") }
            let moment = report.newest.map { "The newest revision is \($0.revision) of \($0.app), published at \($0.at.shortText)." }
            printMessage("\(source) was copied to \(target). The counts and digests of all tables match.")
            printMessage(moment ?? "It has no published revisions.")
        }
    }
}

struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Create the database, or migrate it to this version.")

    @OptionGroup var options: DatabaseOption

    func run() throws {
        try reporting {
            let database = try options.name()
            _ = try database.openStore()
            printMessage("The database \(database) is up to date.")
        }
    }
}

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
