import ArgumentParser
import Service
import Shortcuts

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
