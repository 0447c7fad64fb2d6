import ArgumentParser
import QuickActions

/// The app, version and audience that `check` and `bundle` are about, parsed from the command line.
struct NamedRelease: Sendable {
    let app: AppID
    let id: AppBuild
    let audience: Audience

    /// - Throws: all invalid options together.
    init(app: String, version: String, build: String? = nil, audience: String? = nil) throws {
        var problems: [String] = []
        let appID = AppID(app)
        if appID == nil { problems.append("--app: \(quoted(app)) is not an app id. Use the bundle identifier.") }
        let id = AppBuild(version)
        if id == nil { problems.append("--version: \(AppBuild.rule(for: version))") }
        let number = build.flatMap { BuildNumber($0) }
        if let build, number == nil { problems.append("--build: \(BuildNumber.rule(for: build))") }
        let named = audience.map { Audience($0) } ?? .default
        if let audience, named == nil { problems.append("--audience: \(Audience.rule(for: audience))") }
        guard let appID, let id, let named, problems.isEmpty else { throw ValidationError(problems.joined(separator: "\n")) }
        self.app = appID
        self.id = AppBuild(id.version, build: number ?? id.build)
        self.audience = named
    }
}

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
