import ArgumentParser
import Platform
import QuickActions
import Remote

struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the changes and warnings of applying a tree, and write nothing.",
        discussion: """
            Exits with 0 if an apply would write nothing, and with 2 if it would write or fail. Sets that somebody changed on the service \
            are listed, and an apply leaves them alone. The service is asked app by app.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case human, json, github
    }

    @Argument(help: "The folder of the tree.")
    var tree: String
    @OptionGroup var options: TreeOptions
    @Option(help: "The file to write the plan to, for apply --plan.")
    var out: String?
    @Option(help: "human, json, or github for a comment on a pull request.")
    var format: Format = .human
    @OptionGroup var remote: ServerOptions

    func run() throws {
        let apps = try AppID.list(options.apps)
        try reporting {
            do {
                if try !plan(apps).isEmpty { throw ExitCode(2) }
            } catch let failure as RemoteFailure where format == .github {
                try Terminal.write(Array(PlanComment.text(failed: failure).utf8))
                throw failure
            }
        }
    }

    /// Prints the changes.
    private func plan(_ apps: [AppID]) throws -> PlannedChanges {
        let service = try remote.required()
        let tree = try options.tree(at: tree, apps)
        let application = try options.application(of: tree)
        let changes = try service.plan(application, of: tree)
        if let out { try PlanFile(application, planned: changes, on: service.address).write(to: out) }
        switch format {
        case .human: try Terminal.print(PlanReport.text(changes, of: application))
        case .json: try Terminal.write(changes.json.prettyPrinted)
        case .github:
            let live = service.liveDocuments(for: changes, of: application)
            try Terminal.write(Array(PlanComment.text(changes, of: application, live).utf8))
        }
        return changes
    }
}
