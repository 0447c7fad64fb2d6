import ArgumentParser
import Platform
import QuickActions
import Remote

struct Pull: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the menus of a service as a tree of files for git.",
        discussion: """
            Keeps files with the same meaning, however they are formatted. Removes the files of sets that the service no longer has, but \
            no apps or releases. A file with changes that were not applied is merged. If the service changed the same members, the file \
            stays, and the service's document is written beside it, such as 2.0.0.json.theirs.

            Exits with 0 if nothing is left to decide, and with 2 otherwise.
            """)

    @Argument(help: "The folder of the tree; created if it does not exist.")
    var tree: String
    @Option(name: .customLong("app"), help: "An app to pull; may be repeated. All apps of the token by default.")
    var apps: [String] = []
    @Option(name: .customLong("strings"), help: "A String Catalog with keys of the tree; may be repeated.")
    var catalogs: [String] = []
    @Option(
        name: .customLong("overwrite"),
        help: "A set to overwrite, such as com.example.mail/2.0.0@member, or another file of the tree; may be repeated.")
    var overwritten: [String] = []
    @Flag(help: "List the changes, and write nothing.")
    var dryRun = false
    @OptionGroup var remote: ServerOptions

    func run() throws {
        let apps = try AppID.list(apps)
        try reporting {
            let service = try remote.required()
            let steps = try TreePull.steps(into: tree, from: service, apps, try StringCatalogs(catalogs), overwriting: overwritten)
            if !dryRun { try TreePull.perform(steps) }
            for step in steps {
                switch step {
                case .write(let path, _): try Terminal.print("\(dryRun ? "would write " : "wrote    ")\(path)")
                case .remove(let path): try Terminal.print("\(dryRun ? "would remove " : "removed  ")\(path)")
                case .conflict(let path): try Terminal.print("conflict \(path)")
                case .note(let sentence): printMessage("longpress: \(sentence)")
                }
            }
            if steps.contains(where: \.isConflict) { throw ExitCode(2) }
            if !steps.contains(where: \.isChange) { printMessage("\(tree) is up to date with \(service.address).") }
        }
    }
}
