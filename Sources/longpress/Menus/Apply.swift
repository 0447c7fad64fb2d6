import ArgumentParser
import Platform
import QuickActions
import Remote

struct Apply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Apply a tree or a plan to a service: each app wholly or not at all.",
        discussion: """
            Publishes what changed in the tree since the last apply. Changes that somebody published on the service stay, and changes of \
            both sides are merged. If both changed the same member, nothing is applied. A plan fails if a set that it changes was \
            published since the plan. If an app requires approvals, its sets are saved as drafts. A draft that an apply saved, and that \
            nobody else edited, is withdrawn when the tree does not contain it. Apps are applied one after another. A failure lists the \
            apps before it; run the command again to continue.
            """)

    @Argument(help: "The folder of the tree; optional with --plan.")
    var tree: String?
    @OptionGroup var options: TreeOptions
    @Option(help: "A file from longpress plan --out.")
    var plan: String?
    @Option(name: .customLong("override"), help: "Reason for publishing without approvals; only for owners; recorded in the audit.")
    var reason: String?
    @Option(help: "Why, for the history: the first line of this text, at most 200 characters.")
    var message: String?
    @OptionGroup var remote: ServerOptions

    func validate() throws {
        guard tree != nil || plan != nil else { throw ValidationError("Pass the folder of the tree, or a plan with --plan.") }
        guard tree != nil || options.catalogs.isEmpty else {
            throw ValidationError("--strings works only with a tree. A plan already contains the texts.")
        }
        guard plan == nil || !options.areDecided else {
            throw ValidationError(
                "--prune, --overwrite, --recreate, --draft, --use-git and --use-live do not work with --plan. Pass them to longpress plan instead."
            )
        }
    }

    func run() throws {
        let apps = try AppID.list(options.apps)
        try reporting {
            let service = try remote.required()
            let (application, tree) = try application(for: service, apps)
            let changes = try service.apply(application.saying(message), of: tree, overriding: reason)
            try Terminal.print(PlanReport.text(changes, of: application))
            printMessage(changes.conclusion(on: service.address))
        }
    }

    private func application(for service: RemoteService, _ apps: [AppID]) throws(RemoteFailure) -> (Application, MenuTree?) {
        let tree = try tree.map { folder throws(RemoteFailure) in try options.tree(at: folder, apps) }
        guard let plan else { return (try tree.map { tree throws(RemoteFailure) in try options.application(of: tree) } ?? .nothing, tree) }
        let kept = try PlanFile(readFrom: plan, for: service.address, only: apps)
        if let tree, !kept.isOf(Application(tree, ApplyOptions())) {
            throw RemoteFailure(
                "\(tree.folder) has changed since \(plan) was created. Create the plan again with longpress plan \(tree.folder) --out "
                    + "\(plan).")
        }
        return (kept.application, tree)
    }
}
