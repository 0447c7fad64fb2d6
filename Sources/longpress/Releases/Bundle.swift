import ArgumentParser
import Files
import Remote

struct Bundle: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what an app carries to answer without a network: its menu in all languages, and what became of every id.",
        discussion: "Nothing is written, and a service asks for no token. The same revision gives the same bytes.")

    @OptionGroup var release: ReleaseOptions
    @Option(help: "The app's CFBundleShortVersionString, optionally followed by a plus sign and the build.")
    var version: String
    @Option(help: "The app's CFBundleVersion.")
    var build: String?
    @OptionGroup var source: SourceOptions

    func run() throws {
        let release = try release.named(version, build: build)
        try reporting {
            if let service = try source.service() {
                return try Terminal.write(try service.bundle(release.app, release.id, release.audience))
            }
            #if SERVER
                try Terminal.write(try bundleOfDatabase(release))
            #endif
        }
    }
}
