import ArgumentParser
import Files
import Remote

struct Apply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a service's menus what a tree says, or what a plan says: all of it, or nothing.",
        discussion: """
            With a plan, apps that have changed since it was made are in the way; without one the last one wins. Where an app needs \
            approvals, its sets are saved as drafts.
            """)

    @Argument(help: "The tree's folder; it may be left out with --plan.")
    var tree: String?
    @OptionGroup var options: TreeOptions
    @Option(help: "What plan --out wrote.")
    var plan: String?
    @Option(name: .customLong("override"), help: "Why approvals that are missing are passed over; for owners, and kept in the audit.")
    var reason: String?
    @OptionGroup var remote: ServerOptions

    func validate() throws {
        guard tree != nil || plan != nil else { throw ValidationError("Name the tree's folder, or a plan with --plan.") }
        guard tree != nil || options.catalogs.isEmpty else {
            throw ValidationError("--strings is for a tree: the texts are in the plan already.")
        }
        guard plan == nil || !options.prune else {
            throw ValidationError("--prune is for a tree: a plan says itself whether it prunes. Give it to longpress plan.")
        }
    }

    func run() throws {
        try reporting {
            let service = try remote.required()
            let (application, tree) = try application(for: service)
            let changes: PlannedChanges
            do throws(RemoteFailure) {
                changes = try service.apply(application, overriding: reason)
            } catch {
                throw tree.map { error.naming(filesOf: $0) } ?? error
            }
            try Terminal.print(PlanReport.text(changes, of: application))
            printMessage(changes.conclusion(on: service.address))
        }
    }

    private func application(for service: RemoteService) throws(RemoteFailure) -> (Application, MenuTree?) {
        let tree = try tree.map { folder throws(RemoteFailure) in try options.tree(at: folder) }
        guard let plan else { return (tree.map { Application($0, pruning: options.prune) } ?? .nothing, tree) }
        let kept = try PlanFile(readFrom: plan, for: service.address)
        if let tree, !kept.isOf(Application(tree, pruning: false)) {
            throw RemoteFailure(
                "\(tree.folder) is not what \(plan) was made of: make the plan anew with longpress plan \(tree.folder) --out \(plan).")
        }
        return (kept.application, tree)
    }
}
