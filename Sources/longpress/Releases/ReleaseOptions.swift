import ArgumentParser

/// The options that name a release's app and audience.
struct ReleaseOptions: ParsableArguments {
    @Option(help: "The app's bundle identifier.")
    var app: String
    @Option(help: "The audience (default).")
    var audience: String?

    func named(_ version: String, build: String? = nil) throws -> NamedRelease {
        try NamedRelease(app: app, version: version, build: build, audience: audience)
    }
}
