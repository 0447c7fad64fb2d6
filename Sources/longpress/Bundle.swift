import ArgumentParser
import Service

struct Bundle: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what an app carries to answer without a network: its menu in all languages, and what became of every id.",
        discussion: "The database is only read. The same revision gives the same bytes.")

    @OptionGroup var release: ReleaseOptions
    @Option(help: "The app's CFBundleShortVersionString, with its build behind a plus sign where there is one.")
    var version: String
    @Option(help: "The app's CFBundleVersion.")
    var build: String?
    @OptionGroup var options: DatabaseOption

    func run() throws {
        let release = try release.named(version, build: build)
        try reporting {
            try Terminal.print(Maintenance(options.path()).bundle(release))
        }
    }
}
