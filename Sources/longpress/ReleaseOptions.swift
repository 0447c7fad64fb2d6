import ArgumentParser
import Service

/// Which release of which app.
struct ReleaseOptions: ParsableArguments {
    @Option(help: "The app's bundle identifier.")
    var app: String
    @Option(help: "The release's version, with its build behind a plus sign where there is one.")
    var version: String
    @Option(help: "The audience (default).")
    var audience: String?

    func named(build: String? = nil) throws -> NamedRelease {
        do {
            return try NamedRelease(app: app, version: version, build: build, audience: audience)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
