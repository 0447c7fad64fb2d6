import ArgumentParser
import Service
import Shortcuts
import Storage

/// The options of `restore` without `--app`, which restores a backup.
struct BackupOptions: ParsableArguments {
    enum Tokens: EnumerableFlag {
        case dropTokens, keepTokens

        static func help(for value: Tokens) -> ArgumentHelp? {
            switch value {
            case .dropTokens: "Revoke all tokens of the backup."
            case .keepTokens: "Keep the tokens of the backup, and list tokens that were revoked after it."
            }
        }
    }

    @Flag(exclusivity: .exclusive)
    var tokens: Tokens?
    @OptionGroup var options: DatabaseOption

    var areGiven: Bool { tokens != nil || options.database != nil }

    func requireTokens() throws {
        guard tokens != nil else {
            throw ValidationError(
                "Add --drop-tokens or --keep-tokens. Tokens that were revoked after the backup become valid again. "
                    + "--drop-tokens revokes all tokens; --keep-tokens keeps them and lists those that were revoked. To restore a "
                    + "revision, add --app.")
        }
    }

    /// - Parameter copy: the file of the backup.
    func restore(_ copy: String) throws {
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
