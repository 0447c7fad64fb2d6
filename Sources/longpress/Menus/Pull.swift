import ArgumentParser
import Files
import QuickActions
import Remote

struct Pull: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a service's menus as a tree of files, to be kept in git.",
        discussion: """
            What is there and means the same is left alone, however it is spelled. Sets that the service no longer has are removed from the \
            tree, apps and releases never. Where a file has content that the service never had, nothing is written.
            """)

    @Argument(help: "The tree's folder; it is made where it is not there.")
    var tree: String
    @Option(name: .customLong("app"), help: "An app to pull; repeat it for more. None means all that the token may see.")
    var apps: [String] = []
    @Option(name: .customLong("strings"), help: "A String Catalog with the keys that the tree names; repeat it for more.")
    var catalogs: [String] = []
    @Option(
        name: .customLong("overwrite"),
        help: "A set whose file may be lost, such as com.example.mail/2.0.0@member, or another file of the tree; repeat it for more.")
    var overwritten: [String] = []
    @OptionGroup var remote: ServerOptions

    func run() throws {
        let apps = try AppID.list(apps)
        try reporting {
            let service = try remote.required()
            let steps = try TreePull.steps(into: tree, from: service, apps, try StringCatalogs(catalogs), overwriting: overwritten)
            try TreePull.perform(steps)
            for step in steps {
                switch step {
                case .write(let path, _): try Terminal.print("wrote    \(path)")
                case .remove(let path): try Terminal.print("removed  \(path)")
                case .note(let sentence): printMessage("longpress: \(sentence)")
                }
            }
            if !steps.contains(where: \.isChange) { printMessage("\(tree) is what \(service.address) has.") }
        }
    }
}
