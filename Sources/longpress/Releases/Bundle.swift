import ArgumentParser
import Platform
import Remote

struct Bundle: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the file that an app bundles to work offline: its menus in all languages, and the outcome of every id.",
        discussion: "Writes nothing. No token is needed for a service. The same revision gives the same bytes.")

    @Option(help: "The app's bundle identifier.")
    var app: String
    @Option(help: "The only audience to carry. Every audience by default.")
    var audience: String?
    @Option(help: "The app's CFBundleShortVersionString, optionally followed by a plus sign and the build.")
    var version: String
    @Option(help: "The app's CFBundleVersion.")
    var build: String?
    @Option(help: "The file to write, complete or not at all; standard output by default.")
    var output: String?
    @OptionGroup var source: SourceOptions

    func run() throws {
        let release = try NamedRelease(app: app, version: version, build: build, audience: audience)
        try reporting {
            let bundle = try bundle(of: release)
            guard let output else { return try Terminal.write(bundle) }
            try LocalFile.write(bundle, to: output)
        }
    }

    private func bundle(of release: NamedRelease) throws -> [UInt8] {
        if let service = try source.service() {
            return try service.bundle(release.app, release.id, audience == nil ? .every : release.audience)
        }
        #if SERVER
            return try bundleOfDatabase(release)
        #else
            throw ServerOptions.noneNamed
        #endif
    }
}
