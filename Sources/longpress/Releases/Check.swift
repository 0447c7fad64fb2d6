import ArgumentParser
import Platform
import QuickActions
import Remote

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a release against the menus that it will be served.",
        discussion: """
            Checks the menu of every audience: those of a tree before it is applied, else the drafts for the version, else the published \
            sets. Writes nothing.

            Exits with 0 if the check passes, with 2 if it does not, and with 1 if it could not run.
            """)

    enum Strictness: EnumerableFlag {
        case strict, strictNew

        static func help(for value: Strictness) -> ArgumentHelp? {
            switch value {
            case .strict: "Fail on warnings, too."
            case .strictNew: "Also written --strict=new: fail on warnings that the release before this one does not have."
            }
        }
    }

    @Argument(help: "The folder of a tree to check before it is applied. By default what the service has.")
    var tree: String?
    @Option(help: "The app's bundle identifier. By default that of the Info.plist, or the only app of the tree.")
    var app: String?
    @Option(help: "The only audience to check. Every audience by default.")
    var audience: String?
    @Option(help: "The release, such as 3.0 or 3.0+512. By default the release in the Info.plist.")
    var version: String?
    @Option(name: .customLong("set"), help: "A file with the set to check, as for PUT, for one audience.")
    var setPath: String?
    @Option(name: .customLong("strings"), help: "A String Catalog with keys of the tree; may be repeated.")
    var catalogs: [String] = []
    @Option(name: .customLong("plist"), help: "The built Info.plist.")
    var infoPlist: String?
    @Option(help: "A folder, the output of assetutil --info, or a list of names; may be repeated.")
    var assets: [String] = []
    @Option(help: "A file of the app's bundle that longpress bundle wrote; may be repeated.")
    var bundled: [String] = []
    @Option(help: "human, json or github (annotations of GitHub Actions).")
    var format: GateReport.Format = .human
    @Flag var strictness: Strictness?
    @Option(help: "A file with accepted findings, written by check --format json.")
    var baseline: String?
    @OptionGroup var source: SourceOptions

    func validate() throws {
        var problems: [String] = []
        if version == nil, infoPlist == nil {
            problems.append("Set the release with --version, or pass its built Info.plist with --plist.")
        }
        if app == nil, infoPlist == nil, tree == nil {
            problems.append("Set the app with --app, or pass its built Info.plist with --plist.")
        }
        if tree != nil, setPath != nil { problems.append("A tree and --set exclude each other. Use only one.") }
        if tree == nil, !catalogs.isEmpty { problems.append("--strings works only with a tree.") }
        guard problems.isEmpty else { throw ValidationError(problems.joined(separator: "\n")) }
    }

    func run() throws {
        let plist = try reporting { try infoPlist.map { path in try LocalFile.read(path, atMost: 4 << 20) } }
        let menus = try reporting { try tree.map { folder in try readTree(folder) } }
        let release = try release(plist: plist, menus)
        try reporting {
            let files = GateFiles(app: release.app, set: setPath, tree: menus, infoPlist: infoPlist, bundled: bundled)
            let findings: GateFindings
            do {
                findings = GateFindings(try answer(about: release, plist: plist, menus), named: files)
            } catch let flaw as InvalidSet {
                // The document is invalid, so this is a finding, like those of the service.
                findings = GateFindings(malformedSet: flaw.description, in: setPath)
            }
            let accepted = try baseline.map { try AcceptedFindings($0) }
            let report = GateReport(release, findings, accepted: accepted)
            let text = report.text(format)
            if !text.isEmpty { try Terminal.print(text) }
            if !report.isPassed(strictness) { throw ExitCode(2) }
        }
    }
}

extension Check {
    private struct InvalidSet: Error {
        let description: String
    }

    private func readTree(_ folder: String) throws(RemoteFailure) -> MenuTree {
        let (tree, notes) = try MenuTree.read(folder, StringCatalogs(catalogs))
        for note in notes { printMessage("longpress: \(note)") }
        return tree
    }

    private func release(plist: [UInt8]?, _ tree: MenuTree?) throws -> NamedRelease {
        // With both options, a damaged Info.plist is a finding.
        let list = try reporting {
            app == nil || version == nil ? try infoPlist.map { path in try InfoPlistVersion(plist ?? [], named: path) } : nil
        }
        let id = try reporting { try app ?? list?.app() ?? tree?.onlyApp() ?? "" }
        let release = try reporting { try version ?? list?.release() ?? "" }
        return try NamedRelease(app: id, version: release, audience: audience)
    }

    private func answer(about release: NamedRelease, plist: [UInt8]?, _ tree: MenuTree?) throws -> JSON {
        let listing = try assets.isEmpty ? nil : AssetListing(paths: assets)
        let bundles = try bundled.map { try LocalFile.json($0, atMost: 16 << 20) }
        let set = try setPath.map { path in
            let bytes = try LocalFile.read(path, atMost: 1 << 20)
            do { return try LocalFile.json(bytes, named: path) } catch { throw InvalidSet(description: "\(error)") }
        }
        let question = RemoteService.GateQuestion(
            release: release.id, audience: audience == nil ? nil : release.audience, set: set, tree: try tree?.part(release.app),
            infoPlist: plist, assets: listing, bundled: bundles)
        if let service = try source.service() { return try service.check(question, of: release.app) }
        #if SERVER
            return try answerOfDatabase(question.json, about: release.app)
        #else
            throw ServerOptions.noneNamed
        #endif
    }
}

extension GateReport.Format: ExpressibleByArgument {}
