import ArgumentParser
import Service
import Shortcuts

struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy everything from one database to another, which must be empty.",
        discussion: """
            Each is a path, sqlite: and a path, or postgres://…; it works in both directions. Tokens, secrets, webhooks with their \
            deliveries, the audit log and tap counts come along. The source may be served meanwhile: the copy is of one moment.
            """)

    @Argument(help: "The database that is read.")
    var source: String
    @Argument(help: "The database that is written: new, or migrated and empty.")
    var target: String

    func run() throws {
        try reporting {
            let (source, target) = (try DatabaseName(argument: source), try DatabaseName(argument: target))
            let report = try source.copy(to: target)
            for (name, rows) in report.tables where rows > 0 { printMessage("\(name): \(rows)") }
            let moment = report.newest.map { "The newest revision in it is \($0.revision) of \($0.app), published at \($0.at.shortText)." }
            printMessage("\(source) was copied to \(target); counts and digests of every table agree.")
            printMessage(moment ?? "Nothing is published in it.")
        }
    }
}
