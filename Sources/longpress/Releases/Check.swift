import ArgumentParser
import Service

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Judge a release before it goes out, by the set that it will be served.",
        discussion: "The database is only read. Exits with 1 where there are violations.")

    @OptionGroup var release: ReleaseOptions
    @Option(help: "The release, such as 3.0 or 3.0+512; none is what the Info.plist says.")
    var version: String?
    @Option(name: .customLong("set"), help: "The set to judge, as PUT takes it; none is the set in effect.")
    var setPath: String?
    @Option(name: .customLong("plist"), help: "The built Info.plist.")
    var infoPlist: String?
    @Option(help: "A folder, what assetutil --info printed, or a list of names; repeat it for more.")
    var assets: [String] = []
    @Option(help: "human, json or github (annotations of GitHub Actions).")
    var format: GateReport.Format = .human
    @Flag(help: "Exit with 1 where there are warnings too.")
    var strict = false
    @OptionGroup var options: DatabaseOption

    func run() throws {
        let release = try release.named(try statedVersion())
        try reporting {
            let gate = ReleaseGate(release, set: setPath, infoPlist: infoPlist, assets: assets)
            let report = try gate.report(on: try options.name())
            let text = report.text(format)
            if !text.isEmpty { try Terminal.print(text) }
            if !report.isPassed(strict: strict) { throw ExitCode.failure }
        }
    }

    private func statedVersion() throws -> String {
        if let version { return version }
        guard let infoPlist else {
            throw ValidationError("Name the release with --version, or give its built Info.plist with --plist.")
        }
        return try reporting { try ReleaseGate.version(ofInfoPlist: infoPlist) }
    }
}

extension GateReport.Format: ExpressibleByArgument {}
