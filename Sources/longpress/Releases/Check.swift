import ArgumentParser
import Files
import QuickActions
import Remote

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Judge a release before it goes out, by the set that it will be served.",
        discussion: """
            Nothing is written. Where there are violations it exits with 1 on a database, and with 2 against a service, where 1 says that it \
            could not be judged.
            """)

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
    @Flag(help: "Fail where there are warnings too.")
    var strict = false
    @OptionGroup var source: SourceOptions

    func run() throws {
        guard version != nil || infoPlist != nil else {
            throw ValidationError("Name the release with --version, or give its built Info.plist with --plist.")
        }
        let service = try reporting { try source.service() }
        if let service { return try judge(with: service) }
        #if SERVER
            try judgeWithDatabase()
        #endif
    }

    /// Prints what was found; fails with the status where that does not pass.
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
                // A flaw of what is judged, like those that the service finds.
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
        guard let list = InfoPlistVersion(plist) else { throw RemoteFailure("\(path) is not a property list. Give the built Info.plist.") }
        guard let version = list.version else {
            throw RemoteFailure("\(path) has no CFBundleShortVersionString. Give the built Info.plist, or name the release with --version.")
        }
        let text = list.build.map { "\(version)+\($0)" } ?? version
        guard AppBuild(text) != nil else { throw RemoteFailure("\(path): \(AppBuild.rule(for: text))") }
        return text
    }
}

extension GateReport.Format: ExpressibleByArgument {}
