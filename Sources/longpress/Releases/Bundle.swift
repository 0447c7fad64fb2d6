import ArgumentParser
import Service
import Shortcuts
import Storage

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
            guard let snapshot = try options.name().reader().snapshot(of: release.app) else { throw Failure.unknownApp(release.app) }
            guard let bundle = OfflineBundle(for: release.id, release.audience, in: snapshot) else {
                throw Failure(
                    .noShortcutSet, "No set of \(release.app) is in effect for version \(release.id.version): there is nothing to carry.")
            }
            try Terminal.write(bundle.json.encodedLine)
        }
    }
}
