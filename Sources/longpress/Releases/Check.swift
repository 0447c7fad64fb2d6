import ArgumentParser
import Platform
import QuickActions
import Remote

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a release against the set that it will be served.",
        discussion: """
            Writes nothing. The exit status for violations is 1 with a database and 2 with a service. With a service, 1 means that the \
            check could not run.
            """)

    @OptionGroup var release: ReleaseOptions
    @Option(help: "The release, such as 3.0 or 3.0+512. By default the release in the Info.plist.")
    var version: String?
    @Option(name: .customLong("set"), help: "A file with the set to check, as for PUT. By default the set in effect.")
    var setPath: String?
    @Option(name: .customLong("plist"), help: "The built Info.plist.")
    var infoPlist: String?
    @Option(help: "A folder, the output of assetutil --info, or a list of names; may be repeated.")
    var assets: [String] = []
    @Option(help: "human, json or github (annotations of GitHub Actions).")
    var format: GateReport.Format = .human
    @Flag(help: "Fail on warnings, too.")
    var strict = false
    @OptionGroup var source: SourceOptions

    func run() throws {
        guard version != nil || infoPlist != nil else {
            throw ValidationError("Set the release with --version, or pass its built Info.plist with --plist.")
        }
        let service = try reporting { try source.service() }
        if let service { return try judge(with: service) }
        #if SERVER
            try judgeWithDatabase()
        #endif
    }

    /// Prints the findings. Fails with the status if the check does not pass.
    func conclude(_ report: GateReport, failingWith status: ExitCode) throws {
        let text = report.text(format)
        if !text.isEmpty { try Terminal.print(text) }
        if !report.isPassed(strict: strict) { throw status }
    }
}

extension Check {
    private func judge(with service: RemoteService) throws {
        let plist = try reporting { try infoPlist.map { try LocalFile.read($0, atMost: 4 << 20) } }
        let release = try release.named(try reporting { try version ?? Self.version(in: plist ?? [], named: infoPlist ?? "") })
        try reporting {
            let listing = try assets.isEmpty ? nil : AssetListing(paths: assets)
            let title = "\(release.app) \(release.id)"
            func report(_ findings: GateFindings) -> GateReport {
                GateReport(title: title, findings: findings, set: setPath, infoPlist: infoPlist)
            }
            let bytes = try setPath.map { try LocalFile.read($0, atMost: 1 << 20) }
            let set: JSON?
            do {
                set = try bytes.map { try LocalFile.json($0, named: setPath ?? "") }
            } catch {
                // The document is invalid, so this is a finding, like those of the service.
                let flaw = Finding(path: "", code: "malformed-json", message: "\(error)")
                return try conclude(
                    report(GateFindings(plistViolations: [], setViolations: [flaw], warnings: [])), failingWith: Self.hasFindings)
            }
            let found = try service.check(
                RemoteService.GateQuestion(
                    app: release.app, release: release.id, audience: release.audience, set: set, infoPlist: plist, assets: listing))
            let findings = GateFindings(violations: found.violations, warnings: found.warnings, hasInfoPlist: plist != nil)
            try conclude(report(findings), failingWith: Self.hasFindings)
        }
    }

    private static let hasFindings = ExitCode(2)

    private static func version(in plist: [UInt8], named path: String) throws(RemoteFailure) -> String {
        guard let list = InfoPlistVersion(plist) else { throw RemoteFailure("\(path) is not a property list. Pass the built Info.plist.") }
        guard let version = list.version else {
            throw RemoteFailure("\(path) has no CFBundleShortVersionString. Pass the built Info.plist, or set the release with --version.")
        }
        let text = list.build.map { "\(version)+\($0)" } ?? version
        guard AppBuild(text) != nil else { throw RemoteFailure("\(path): \(AppBuild.rule(for: text))") }
        return text
    }
}

extension GateReport.Format: ExpressibleByArgument {}
