import ArgumentParser
import Platform
import Remote

struct Bundle: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the file that an app bundles to work offline: its menu in all languages, and the outcome of every id.",
        discussion: "Writes nothing. No token is needed for a service. The same revision gives the same bytes.")

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
