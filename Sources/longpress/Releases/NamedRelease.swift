import ArgumentParser
import QuickActions

/// The app, version and audience that `check` and `bundle` are about, parsed from the command line.
struct NamedRelease: Sendable {
    let app: AppID
    let id: AppBuild
    let audience: Audience

    /// - Throws: all invalid options together.
    init(app: String, version: String, build: String? = nil, audience: String? = nil) throws {
        var read = ArgumentReader()
        let release = NamedRelease(&read, app: app, version: version, build: build, audience: audience)
        self = try read.finish(release)
    }

    /// Nil if an argument is invalid, which the reader has noted.
    init?(_ read: inout ArgumentReader, app: String, version: String, build: String? = nil, audience: String? = nil) {
        let app: AppID? = read.value("--app", app)
        let id: AppBuild? = read.value("--version", version)
        let number: BuildNumber? = read.value("--build", build)
        let named: Audience? = read.value("--audience", audience ?? "\(Audience.default)")
        guard let app, let id, let named else { return nil }
        self.app = app
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

    func read(_ read: inout ArgumentReader, _ version: String) -> NamedRelease? {
        NamedRelease(&read, app: app, version: version, audience: audience)
    }
}
