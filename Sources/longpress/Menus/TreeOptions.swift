import ArgumentParser
import QuickActions
import Remote

/// The options of `plan` and `apply` that select the parts of a tree to send.
struct TreeOptions: ParsableArguments {
    @Option(name: .customLong("app"), help: "The only app to send; may be repeated.")
    var apps: [String] = []
    @Option(name: .customLong("strings"), help: "A String Catalog with keys of the tree; may be repeated.")
    var catalogs: [String] = []
    @Flag(help: "Delete sets that are not in the tree, if nobody changed them since they were applied.")
    var prune = false
    @Flag(help: "Let the tree win over every change that somebody published on the service.")
    var overwrite = false
    @Flag(help: "Create apps again that somebody deleted on the service.")
    var recreate = false
    @Flag(help: "Only save sets as drafts, so that a branch can be previewed and approved. Apps and releases stay.")
    var draft = false
    @Option(
        name: .customLong("use-git"),
        help: "A set for which the tree wins conflicts, such as com.example.mail/2.0.0@member; may be repeated.")
    var git: [String] = []
    @Option(name: .customLong("use-live"), help: "A set for which the service wins conflicts; may be repeated.")
    var live: [String] = []

    /// Whether an option is set that a plan contains.
    var areDecided: Bool { prune || overwrite || recreate || draft || !git.isEmpty || !live.isEmpty }

    func validate() throws {
        guard !draft || !(prune || overwrite || recreate) else {
            throw ValidationError("--draft only saves drafts. Remove --prune, --overwrite and --recreate.")
        }
    }

    func application(of tree: MenuTree) throws(RemoteFailure) -> Application {
        var options = ApplyOptions()
        (options.prunes, options.overwrites, options.recreates) = (prune, overwrite, recreate)
        options.onlySavesDrafts = draft
        try options.decide(git: git, live: live, in: tree)
        return Application(tree, options)
    }

    /// Reads the tree with its catalogs, and prints the languages that are missing.
    func tree(at folder: String, _ apps: [AppID]) throws(RemoteFailure) -> MenuTree {
        let catalogs = try StringCatalogs(catalogs)
        let (tree, notes) = try MenuTree.read(folder, catalogs, only: apps)
        for note in notes { printMessage("longpress: \(note)") }
        return tree
    }
}
