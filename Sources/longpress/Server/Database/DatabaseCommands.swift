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

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore a backup while no service uses the database.",
        discussion: """
            Checks the backup first and does not change it. The revision numbers of every app continue 1,000 higher, so that no number is \
            used twice. Sessions end. The replaced database is kept next to the new one.
            """)

    enum Tokens: EnumerableFlag {
        case dropTokens, keepTokens

        static func help(for value: Tokens) -> ArgumentHelp? {
            switch value {
            case .dropTokens: "Revoke all tokens of the backup."
            case .keepTokens: "Keep the tokens of the backup, and list tokens that were revoked after it."
            }
        }
    }

    @Argument(help: "The backup.")
    var copy: String
    @Flag(exclusivity: .exclusive)
    var tokens: Tokens?
    @OptionGroup var options: DatabaseOption

    func validate() throws {
        guard tokens != nil else {
            throw ValidationError(
                "Add --drop-tokens or --keep-tokens. Tokens that were revoked after the backup become valid again. --drop-tokens revokes "
                    + "all tokens; --keep-tokens keeps them and lists those that were revoked.")
        }
    }

    func run() throws {
        try reporting {
            let database = try options.name()
            let report = try database.restore(from: copy, dropsTokens: tokens == .dropTokens, by: .commandLine())
            let kept = report.replaced.map { " The replaced database is at \($0)." } ?? ""
            printMessage("\(copy) was restored to \(database). Revision numbers continue \(Store.revisionsSkipped) higher.\(kept)")
            printMessage(tokens == .dropTokens ? Self.dropped : Self.kept(report.revived, at: database))
        }
    }

    private static let dropped =
        "All sessions and tokens were removed. The next start creates an owner token, unless an admin token is configured."

    private static func kept(_ revived: [String]?, at database: DatabaseName) -> String {
        let command = "longpress token \(revived == nil ? "list" : "revoke ID") --database \(database)"
        guard let revived else {
            return """
                All sessions were removed. Tokens that were revoked after the backup are valid again. No replaced database shows which \
                ones. Check the list: \(command)
                """
        }
        guard !revived.isEmpty else { return "All sessions were removed. No revoked token became valid again." }
        return """
            All sessions were removed. \(revived.count) tokens that were revoked after the backup are valid again:
            \(revived.map { "  \($0)" }.joined(separator: "\n"))
            Revoke each of them: \(command)
            """
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
