import ArgumentParser
import Service
import Shortcuts
import Storage

struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a backup in the database's place, while no service runs on it.",
        discussion: """
            The backup is checked first and stays as it is. Every app's revision numbers go on 1,000 higher, so that none that was \
            given after the backup comes again. Sessions end. What was there stays beside it.
            """)

    enum Tokens: EnumerableFlag {
        case dropTokens, keepTokens

        static func help(for value: Tokens) -> ArgumentHelp? {
            switch value {
            case .dropTokens: "Revoke all tokens of the backup."
            case .keepTokens: "Keep the tokens of the backup, and list those that were revoked after it."
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
                "Give --drop-tokens or --keep-tokens. Tokens that were revoked after the backup would be valid again: --drop-tokens revokes "
                    + "all of them, --keep-tokens keeps them and lists those.")
        }
    }

    func run() throws {
        try reporting {
            let database = try options.name()
            let report = try database.restore(from: copy, dropsTokens: tokens == .dropTokens, by: .commandLine())
            let kept = report.replaced.map { " What was there is at \($0)." } ?? ""
            printMessage("\(copy) is at \(database) now; revision numbers go on \(Store.revisionsSkipped) higher.\(kept)")
            printMessage(tokens == .dropTokens ? Self.dropped : Self.kept(report.revived, at: database))
        }
    }

    private static let dropped =
        "All sessions and tokens were removed. The next start creates an owner token, unless an admin token is configured."

    private static func kept(_ revived: [String]?, at database: DatabaseName) -> String {
        let command = "longpress token \(revived == nil ? "list" : "revoke ID") --database \(database)"
        guard let revived else {
            return """
                All sessions were removed. Tokens that were revoked after the backup are valid again, and no replaced database says which. \
                Compare: \(command)
                """
        }
        guard !revived.isEmpty else { return "All sessions were removed. No token is valid again that was revoked after the backup." }
        return """
            All sessions were removed. \(revived.count) of the tokens that are valid again were revoked after the backup:
            \(revived.map { "  \($0)" }.joined(separator: "\n"))
            Revoke each of them: \(command)
            """
    }
}
